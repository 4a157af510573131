package org.freshet.bootstrap;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.freshet.channel.ChannelOption;

/**
 * A bootstrap's options at one moment: as the user gave them, and checked, converted and split into what the bootstrap's own
 * channels get and what accepted channels get. Immutable; created for each change, not for each channel.
 */
final class OptionSnapshot {
    static final OptionSnapshot EMPTY = new OptionSnapshot(Map.of(), null);

    private final Map<String, Object> given;
    private final Map<String, Object> own = new LinkedHashMap<>();
    private final Map<String, Object> child = new LinkedHashMap<>();

    private OptionSnapshot(Map<String, Object> given, String childPrefix) {
        this.given = given;
        given.forEach((key, value) -> add(key, value, childPrefix));
    }

    /** A snapshot of a user's map, without what is null. */
    static OptionSnapshot of(Map<String, Object> options, String childPrefix) {
        Map<String, Object> given = new LinkedHashMap<>(options);
        given.values().removeIf(value -> value == null);
        return new OptionSnapshot(given, childPrefix);
    }

    /** This snapshot with one option changed, or removed when the value is null. */
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

    /** For the channels that the bootstrap makes. */
    Map<String, Object> own() {
        return Collections.unmodifiableMap(own);
    }

    /** For the channels that those accept, without the prefix. */
    Map<String, Object> child() {
        return Collections.unmodifiableMap(child);
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
            throw new IllegalArgumentException(childPrefix + e.getMessage(), e); // the key as the user wrote it
        }
    }

    /** The value as the option's type; unconverted when the option is not one of Freshet's: the config decides. */
    private static Object converted(String key, Object value) {
        ChannelOption<?> option = ChannelOption.named(key);
        return option == null ? value : option.convert(value);
    }
}
