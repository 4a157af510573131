package org.freshet.handler.codec.serialization;

/** Asks a class loader. Immutable; any thread. */
final class LoadingClassResolver implements ClassResolver {
    private final ClassLoader classLoader;

    LoadingClassResolver(ClassLoader classLoader) {
        this.classLoader = classLoader;
    }

    @Override
    public Class<?> resolve(String className) throws ClassNotFoundException {
        // Not initialized: a class that the filter is going to refuse must not run any code.
        return Class.forName(className, false, classLoader);
    }
}
