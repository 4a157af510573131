package org.freshet.handler.codec.serialization;

import java.util.Map;

/** Remembers what another resolver found. As fit for several threads as its map and the other are. */
final class CachingClassResolver implements ClassResolver {
    private final ClassResolver source;
    private final Map<String, Class<?>> cache;

    CachingClassResolver(ClassResolver source, Map<String, Class<?>> cache) {
        this.source = source;
        this.cache = cache;
    }

    @Override
    public Class<?> resolve(String className) throws ClassNotFoundException {
        Class<?> known = cache.get(className);
        if (known != null) {
            return known;
        }
        Class<?> found = source.resolve(className);
        cache.put(className, found);
        return found;
    }
}
