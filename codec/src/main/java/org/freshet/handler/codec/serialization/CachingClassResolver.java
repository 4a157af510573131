package org.freshet.handler.codec.serialization;

import java.util.Map;

/** Caches the classes found by another resolver. As thread-safe as its map and that resolver. */
record CachingClassResolver(ClassResolver source, Map<String, Class<?>> found) implements ClassResolver {
    @Override
    public Class<?> resolve(String className) throws ClassNotFoundException {
        Class<?> type = found.get(className);
        if (type == null) {
            type = source.resolve(className);
            found.put(className, type);
        }
        return type;
    }
}
