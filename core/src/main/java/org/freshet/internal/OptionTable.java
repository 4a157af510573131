package org.freshet.internal;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelOption;

/**
 * The options of one kind of config: for each key, the option that checks the value and the methods that read and set it.
 *
 * <p>Immutable, one per class and not per channel; any thread may use it.
 *
 * @param <C> the config's type
 */
public final class OptionTable<C extends ChannelConfig> {
    private final Map<String, Entry<? super C, ?>> entries;
    /** The class whose {@code setOption} speaks for this table; null for a table that is still to be owned. */
    private final Class<?> owner;

    private OptionTable(Map<String, Entry<? super C, ?>> entries, Class<?> owner) {
        this.entries = entries;
        this.owner = owner;
    }

    public static <C extends ChannelConfig> OptionTable<C> empty() {
        return new OptionTable<>(Map.of(), null);
    }

    /** For an option that can be set but not read. */
    public static <C, T> Function<C, T> unreadable() {
        return config -> null;
    }

    /** This table and one option more. */
    public <T> OptionTable<C> with(
            ChannelOption<T> option, Function<? super C, ? extends T> getter, BiConsumer<? super C, ? super T> setter) {
        Map<String, Entry<? super C, ?>> extended = new LinkedHashMap<>(entries);
        extended.put(option.key(), new Entry<C, T>(option, getter, setter));
        return new OptionTable<>(extended, null);
    }

    /** The same options, for a more special kind of config. */
    public <D extends C> OptionTable<D> narrowed() {
        return new OptionTable<D>(new LinkedHashMap<>(entries), null);
    }

    /**
     * The same options, for use by a class's {@code setOption(String, Object)}. Unknown keys are reported there unless a subclass
     * overrides that method: it may know keys that this table does not, so only the outermost caller can tell.
     */
    public OptionTable<C> ownedBy(Class<? extends C> owner) {
        return new OptionTable<>(entries, owner);
    }

    public Set<String> keys() {
        return Collections.unmodifiableSet(entries.keySet());
    }

    /** Converts, checks and sets; false when the key is unknown. */
    public boolean set(C config, String key, Object value) {
        Entry<? super C, ?> entry = entries.get(Objects.requireNonNull(key, "key"));
        if (entry != null) {
            entry.set(config, value);
            return true;
        }
        if (UnknownOptions.speaksFor(owner, config)) {
            UnknownOptions.report(config.getClass(), key, keys());
        }
        return false;
    }

    /** Does with each option what a new config of the given class would, but for setting it. */
    public void check(Class<? extends C> type, Map<String, Object> options) {
        options.forEach((key, value) -> {
            Entry<? super C, ?> entry = entries.get(key);
            if (entry != null) {
                entry.option().convert(value);
            } else {
                UnknownOptions.report(type, key, keys());
            }
        });
    }

    /** The current value; null when the option is unknown here. */
    public <T> T get(C config, ChannelOption<T> option) {
        Entry<? super C, ?> entry = entries.get(option.key());
        return entry == null ? null : option.type().cast(entry.get(config));
    }

    /** All values that can be read. */
    public Map<String, Object> values(C config) {
        Map<String, Object> values = new LinkedHashMap<>();
        entries.forEach((key, entry) -> {
            Object value = entry.getIfSupported(config);
            if (value != null) {
                values.put(key, value);
            }
        });
        return values;
    }

    /** Sets each option by the config's own {@code setOption}, and reports those that it does not know. */
    public static void setAll(ChannelConfig config, Map<String, Object> options) {
        Objects.requireNonNull(options, "options").forEach((key, value) -> {
            if (!config.setOption(key, value)) {
                UnknownOptions.report(config.getClass(), key, ChannelOption.knownKeys());
            }
        });
    }

    private record Entry<C, T>(
            ChannelOption<T> option, Function<? super C, ? extends T> getter, BiConsumer<? super C, ? super T> setter) {
        void set(C config, Object value) {
            setter.accept(config, option.convert(value));
        }

        T get(C config) {
            return getter.apply(config);
        }

        T getIfSupported(C config) {
            try {
                return get(config);
            } catch (ChannelException e) {
                if (e.getCause() instanceof UnsupportedOperationException) {
                    return null;
                }
                throw e;
            }
        }
    }
}
