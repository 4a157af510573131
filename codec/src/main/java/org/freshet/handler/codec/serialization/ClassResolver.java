package org.freshet.handler.codec.serialization;

/**
 * Finds classes by the names in a stream. It is up to the filter whether a class may be instantiated; see
 * {@link ObjectDecoder}.
 */
public interface ClassResolver {
    /**
     * @param className in the form of {@link Class#getName()}, also for arrays
     * @return the class, which must not be initialized by this call
     */
    Class<?> resolve(String className) throws ClassNotFoundException;
}
