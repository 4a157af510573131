package org.freshet.handler.codec.serialization;

import java.util.Map;

/** Remembers the classes that another resolver finds. As fit for several threads as its map and the other are. */
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
