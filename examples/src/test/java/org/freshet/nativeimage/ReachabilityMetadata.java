package org.freshet.nativeimage;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelHandler;

/**
 * The metadata that a native image needs for a module, by the rules explained in {@code reflective-calls.txt};
 * generated from the module's classes.
 */
final class ReachabilityMetadata {
    private static final String OURS = "org.freshet.";

    /** The rest of a type's entry, by type name. */
    private final Map<String, String> entries = new TreeMap<>();

    private ReachabilityMetadata() {}

    /** As the text of a {@code reachability-metadata.json}. */
    static String of(Collection<Class<?>> types) {
        ReachabilityMetadata metadata = new ReachabilityMetadata();
        types.forEach(metadata::add);
        return metadata.text();
    }

    private void add(Class<?> type) {
        if (type.getName().equals("org.freshet.internal.VirtualThreads")) {
            entries.put(
                    "java.lang.Thread",
                    methods(signature("isVirtual"), signature("startVirtualThread", "java.lang.Runnable")));
        }
        if (type.isInterface()) {
            if (type.getSimpleName().endsWith("MXBean")) {
                addAttributes(type);
            }
        } else if (ChannelHandler.class.isAssignableFrom(type)) {
            entries.put(type.getName(), ", \"allDeclaredFields\": true");
        } else if (ChannelConfig.class.isAssignableFrom(type)) {
            entries.put(
                    type.getName(),
                    declares(type) ? methods(signature("setOption", "java.lang.String", "java.lang.Object")) : "");
        }
    }

    /** An inherited member is found through the entry of the class that declares it. */
    private static boolean declares(Class<?> config) {
        try {
            config.getDeclaredMethod("setOption", String.class, Object.class);
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static String methods(String... signatures) {
        return ", \"methods\": [" + String.join(", ", signatures) + "]";
    }

    private static String signature(String name, String... parameterTypes) {
        String types = parameterTypes.length == 0 ? "" : '"' + String.join("\", \"", parameterTypes) + '"';
        return "{\"name\": \"" + name + "\", \"parameterTypes\": [" + types + "]}";
    }

    /** The methods of a JMX interface, and of the types they return. */
    private void addAttributes(Class<?> type) {
        if (entries.put(type.getName(), ", \"allPublicMethods\": true") != null) {
            return;
        }
        for (Method method : type.getMethods()) {
            Class<?> value = method.getReturnType();
            while (value.isArray()) {
                value = value.getComponentType();
            }
            if (value.getName().startsWith(OURS)) {
                addAttributes(value);
            }
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder("{\n  \"reflection\": [\n");
        String separator = "";
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            text.append(separator)
                    .append("    {\"type\": \"")
                    .append(entry.getKey())
                    .append('"')
                    .append(entry.getValue())
                    .append('}');
            separator = ",\n";
        }
        return text.append("\n  ]\n}\n").toString();
    }
}
