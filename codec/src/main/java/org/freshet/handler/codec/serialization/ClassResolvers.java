package org.freshet.handler.codec.serialization;

import java.lang.ref.Reference;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The class resolvers of this package. A caching resolver saves one class loader look-up per object. Caches hold
 * classes weakly or softly, so the classes can be unloaded. Only names of existing classes are cached.
 *
 * <p>A class loader of null stands for the calling thread's context class loader, or this library's own if the thread
 * has none.
 */
public final class ClassResolvers {
    private ClassResolvers() {}

    /** Asks the class loader each time. Any number of threads may use it. */
    public static ClassResolver cacheDisabled(ClassLoader classLoader) {
        return new LoadingClassResolver(orDefault(classLoader));
    }

    /** For one decoder: not thread-safe. Forgets a class soon after it is no longer in use. */
    public static ClassResolver weakCachingResolver(ClassLoader classLoader) {
        return caching(classLoader, new WeakReferenceMap<>(new HashMap<String, Reference<Class<?>>>()));
    }

    /** For one decoder: not thread-safe. Forgets classes when memory runs short. */
    public static ClassResolver softCachingResolver(ClassLoader classLoader) {
        return caching(classLoader, new SoftReferenceMap<>(new HashMap<String, Reference<Class<?>>>()));
    }

    /** For any number of decoders and threads. Forgets a class soon after it is no longer in use. */
    public static ClassResolver weakCachingConcurrentResolver(ClassLoader classLoader) {
        return caching(classLoader, new WeakReferenceMap<>(new ConcurrentHashMap<String, Reference<Class<?>>>()));
    }

    /** For any number of decoders and threads. Forgets classes when memory runs short. */
    public static ClassResolver softCachingConcurrentResolver(ClassLoader classLoader) {
        return caching(classLoader, new SoftReferenceMap<>(new ConcurrentHashMap<String, Reference<Class<?>>>()));
    }

    /**
     * Resolves only the given classes, their superclasses, arrays of them, and the JDK's value types and collections. A
     * decoder with this resolver needs no filter. For any number of decoders and threads.
     */
    public static ClassResolver allowList(Class<?>... classes) {
        return new AllowListResolver(classes);
    }

    private static ClassResolver caching(ClassLoader classLoader, Map<String, Class<?>> cache) {
        return new CachingClassResolver(cacheDisabled(classLoader), cache);
    }

    private static ClassLoader orDefault(ClassLoader classLoader) {
        if (classLoader != null) {
            return classLoader;
        }
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context != null ? context : ClassResolvers.class.getClassLoader();
    }
}
