package org.freshet.handler.codec.serialization;

import java.util.HashMap;
import java.util.Map;

/** Resolves a fixed set of classes and those that {@link JdkTypes} allows. Immutable; any thread. */
final class AllowListResolver implements ClassResolver {
    private final Map<String, Class<?>> allowed = new HashMap<>();

    AllowListResolver(Class<?>... classes) {
        for (int i = 0; i < classes.length; i++) {
            if (classes[i] == null) {
                throw new NullPointerException("classes[" + i + "]");
            }
            // A stream also describes the superclasses of an object.
            for (Class<?> type = classes[i]; type != null && type != Object.class; type = type.getSuperclass()) {
                allowed.put(type.getName(), type);
            }
        }
    }

    boolean allows(Class<?> type) {
        Class<?> element = JdkTypes.elementOf(type);
        return allowed.get(element.getName()) == element || JdkTypes.contains(element);
    }

    @Override
    public Class<?> resolve(String className) throws ClassNotFoundException {
        int dimensions = className.lastIndexOf('[') + 1;
        boolean ofObjects = dimensions > 0 && className.startsWith("L", dimensions) && className.endsWith(";");
        String element = ofObjects ? className.substring(dimensions + 1, className.length() - 1) : className;
        Class<?> known = allowed.get(element);
        if (known != null && (ofObjects || dimensions == 0)) {
            return arrayOf(known, dimensions);
        }
        if (dimensions > 0 && !ofObjects || JdkTypes.contains(element)) {
            return Class.forName(className, false, ClassLoader.getPlatformClassLoader());
        }
        throw new ClassNotFoundException(element + " is not in the allow list; " + SerialFilter.remedies(element));
    }

    private static Class<?> arrayOf(Class<?> element, int dimensions) {
        Class<?> type = element;
        for (int i = 0; i < dimensions; i++) {
            type = type.arrayType();
        }
        return type;
    }
}
