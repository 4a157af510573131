package org.freshet.docs;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Locale;
import org.freshet.channel.DefaultChannelConfig;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.server.HttpTimeouts;
import org.freshet.handler.codec.http.websocketx.WebSocketServerConfig;
import org.freshet.handler.codec.http2.Http2AbuseLimits;
import org.freshet.handler.codec.http2.Http2Settings;

/** A class whose defaults are read: constants, and values of its default instance. */
final class DefaultValue {
    private final Class<?> type;

    DefaultValue(String className) throws ClassNotFoundException {
        type = Class.forName(className);
    }

    /**
     * @param path such as {@code LIMIT}, {@code limit()}, {@code Nested.LIMIT} or {@code field.field}
     * @return times in milliseconds
     */
    long read(String path) throws ReflectiveOperationException {
        Object value = null;
        Class<?> at = type;
        String last = "";
        for (String member : path.split("\\.")) {
            Class<?> nested = nested(at, member);
            if (nested != null) {
                at = nested;
                continue;
            }
            value = read(value, at, member);
            at = value.getClass();
            last = member.toLowerCase(Locale.ROOT);
        }
        if (value instanceof Duration duration) {
            return duration.toMillis();
        }
        return ((Number) value).longValue() * (last.endsWith("_seconds") ? 1000 : 1);
    }

    private static Class<?> nested(Class<?> type, String name) {
        for (Class<?> nested : type.getDeclaredClasses()) {
            if (nested.getSimpleName().equals(name)) {
                return nested;
            }
        }
        return null;
    }

    private static Object read(Object target, Class<?> type, String member) throws ReflectiveOperationException {
        if (member.endsWith("()")) {
            Method method = method(type, member.substring(0, member.length() - 2));
            return method.invoke(target != null ? target : instance(type));
        }
        Field field = accessible(type.getDeclaredField(member));
        boolean isStatic = Modifier.isStatic(field.getModifiers());
        return field.get(isStatic ? null : target != null ? target : instance(type));
    }

    private static Method method(Class<?> type, String name) throws NoSuchMethodException {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == 0) {
                    return accessible(method);
                }
            }
        }
        throw new NoSuchMethodException(type + "." + name + "()");
    }

    /** The value used if nothing is set, whatever the system properties say. */
    private static Object instance(Class<?> type) throws ReflectiveOperationException {
        return switch (type.getSimpleName()) {
            case "HttpLimits" -> HttpLimits.standard();
            case "HttpTimeouts" -> HttpTimeouts.defaults();
            case "Http2Settings" -> Http2Settings.defaults();
            case "WebSocketServerConfig" -> WebSocketServerConfig.builder("/").build();
            case "DefaultChannelConfig" -> new DefaultChannelConfig();
            case "Http2AbuseLimits" -> Http2AbuseLimits.defaults();
            default -> throw new NoSuchMethodException("no default instance of " + type);
        };
    }

    private static <T extends AccessibleObject> T accessible(T member) {
        member.setAccessible(true);
        return member;
    }
}
