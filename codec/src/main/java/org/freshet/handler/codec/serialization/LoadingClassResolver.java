package org.freshet.handler.codec.serialization;

/** Asks a class loader. Immutable; any thread. */
final class LoadingClassResolver implements ClassResolver {
    private final ClassLoader classLoader;

    LoadingClassResolver(ClassLoader classLoader) {
        this.classLoader = classLoader;
    }

    @Override
    public Class<?> resolve(String className) throws ClassNotFoundException {
        // Neither way initializes: a class that the filter is going to refuse must not run any code.
        return isPlain(className) ? classLoader.loadClass(className) : Class.forName(className, false, classLoader);
    }

    /** Whether a class loader may be handed the name, which takes half the time. The JVM refuses names that are none. */
    private static boolean isPlain(String className) {
        return className.indexOf('[') < 0 && className.indexOf('/') < 0 && className.indexOf(';') < 0;
    }
}
