package org.freshet.handler.codec.serialization;

import java.lang.ref.Reference;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The class resolvers that come with this package. Those that cache spare the class loader a look-up an object, and hold
 * classes weakly or softly so that these can be unloaded. The names that can be cached are those of classes that exist.
 *
 * <p>Where a class loader is asked for, null stands for the calling thread's context class loader at that time, or this
 * library's own where there is none.
 */
public final class ClassResolvers {
    private ClassResolvers() {}

    /** Asks the class loader each time. For any number of threads. */
    public static ClassResolver cacheDisabled(ClassLoader classLoader) {
        return new LoadingClassResolver(orDefault(classLoader));
    }

    /** For one decoder: may not be shared by threads. Classes no longer in use are forgotten early. */
    public static ClassResolver weakCachingResolver(ClassLoader classLoader) {
        return caching(classLoader, new WeakReferenceMap<>(new HashMap<String, Reference<Class<?>>>()));
    }

    /** For one decoder: may not be shared by threads. Classes are forgotten when memory runs short. */
    public static ClassResolver softCachingResolver(ClassLoader classLoader) {
        return caching(classLoader, new SoftReferenceMap<>(new HashMap<String, Reference<Class<?>>>()));
    }

    /** For any number of decoders and threads. Classes no longer in use are forgotten early. */
    public static ClassResolver weakCachingConcurrentResolver(ClassLoader classLoader) {
        return caching(classLoader, new WeakReferenceMap<>(new ConcurrentHashMap<String, Reference<Class<?>>>()));
    }

    /** For any number of decoders and threads. Classes are forgotten when memory runs short. */
    public static ClassResolver softCachingConcurrentResolver(ClassLoader classLoader) {
        return caching(classLoader, new SoftReferenceMap<>(new ConcurrentHashMap<String, Reference<Class<?>>>()));
    }

    /**
     * Knows the given classes, their superclasses, arrays of them, and the JDK's value types and collections; nothing else.
     * A decoder with such a resolver needs no filter. For any number of decoders and threads.
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
