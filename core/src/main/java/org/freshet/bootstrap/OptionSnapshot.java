package org.freshet.bootstrap;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.freshet.channel.ChannelOption;

/**
 * A snapshot of a bootstrap's options: as the user set them, and also checked, converted and split into those for the bootstrap's own
 * channels and those for accepted channels. Immutable; created per change, not per channel.
 */
final class OptionSnapshot {
    static final OptionSnapshot EMPTY = new OptionSnapshot(Map.of(), null);

    private final Map<String, Object> given;
    private final Map<String, Object> own = new LinkedHashMap<>();
    private final Map<String, Object> child = new LinkedHashMap<>();

    /** Created once, because each accepted channel reads it. */
    private final Map<String, Object> childView = Collections.unmodifiableMap(child);

    private OptionSnapshot(Map<String, Object> given, String childPrefix) {
        this.given = given;
        given.forEach((key, value) -> add(key, value, childPrefix));
    }

    /** Copies a user's map, without the null values. */
    static OptionSnapshot of(Map<String, Object> options, String childPrefix) {
        Map<String, Object> given = new LinkedHashMap<>(options);
        given.values().removeIf(value -> value == null);
        return new OptionSnapshot(given, childPrefix);
    }

    /** Returns this snapshot with one option changed, or removed if the value is null. */
    OptionSnapshot with(String key, Object value, String childPrefix) {
        Map<String, Object> changed = new LinkedHashMap<>(given);
        changed.put(key, value);
        return of(changed, childPrefix);
    }

    Object get(String key) {
        return given.get(key);
    }

    Map<String, Object> given() {
        return new TreeMap<>(given);
    }

    /** The options for the channels that the bootstrap creates. */
    Map<String, Object> own() {
        return Collections.unmodifiableMap(own);
    }

    /** The options for the channels that those accept, without the prefix. */
    Map<String, Object> child() {
        return childView;
    }

    private void add(String key, Object value, String childPrefix) {
        if (childPrefix != null && key.startsWith(childPrefix)) {
            String childKey = key.substring(childPrefix.length());
            child.put(childKey, convertedChild(childPrefix, childKey, value));
        } else if (key.equals(Bootstrap.LOCAL_ADDRESS.key())) {
            Bootstrap.LOCAL_ADDRESS.convert(value);
        } else if (key.equals(Bootstrap.REMOTE_ADDRESS.key())) {
            Bootstrap.REMOTE_ADDRESS.convert(value);
        } else {
            own.put(key, converted(key, value));
        }
    }

    private static Object convertedChild(String childPrefix, String childKey, Object value) {
        try {
            return converted(childKey, value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(childPrefix + e.getMessage(), e); // with the key as the user wrote it
        }
    }

    /** Converts a value to the option's type. An option that is not one of Freshet's is left to the channel's config. */
    private static Object converted(String key, Object value) {
        ChannelOption<?> option = ChannelOption.named(key);
        return option == null ? value : option.convert(value);
    }
}
