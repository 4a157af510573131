package org.freshet.handler.codec.serialization;

/** Asks a class loader. Immutable; any thread. */
final class LoadingClassResolver implements ClassResolver {
    private final ClassLoader classLoader;

    LoadingClassResolver(ClassLoader classLoader) {
        this.classLoader = classLoader;
    }

    @Override
    public Class<?> resolve(String className) throws ClassNotFoundException {
        // Neither way initializes the class: a class that the filter is about to refuse must not run any code.
        return isPlain(className) ? classLoader.loadClass(className) : Class.forName(className, false, classLoader);
    }

    /**
     * Returns whether the name can be given to the class loader directly, in half the time. The JVM rejects invalid
     * names.
     */
    private static boolean isPlain(String className) {
        return className.indexOf('[') < 0 && className.indexOf('/') < 0 && className.indexOf(';') < 0;
    }
}
