package org.freshet.handler.codec.serialization;

/**
 * Finds the classes whose names come in a stream. Whether a class that was found may be instantiated is the filter's
 * business; see {@link ObjectDecoder}.
 */
public interface ClassResolver {
    /**
     * @param className as {@link Class#getName()} gives it, also for arrays
     * @return the class, which must not have been initialized for this
     */
    Class<?> resolve(String className) throws ClassNotFoundException;
}
