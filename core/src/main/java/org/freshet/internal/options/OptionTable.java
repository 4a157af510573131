package org.freshet.internal.options;

import java.lang.invoke.MethodHandles;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The options of one class of configs: for each key, the function that checks and converts a value, and the methods of the
 * config that read and set it.
 *
 * <p>A config class declares its table with {@link #ownedBy}; a subclass, in whatever package, starts its own from
 * {@link #of}. Thus each package states its options, and none has to know those that build on it.
 *
 * <p>Immutable, one per class and not per channel; any thread may use it.
 *
 * @param <C> the config's type
 */
public final class OptionTable<C> {
    private static final Map<Class<?>, OptionTable<?>> OWNED = new ConcurrentHashMap<>();

    /** By class of config, the table of that class or else of the nearest one above. */
    private static final ClassValue<OptionTable<Object>> NEAREST = new ClassValue<>() {
        @Override
        protected OptionTable<Object> computeValue(Class<?> type) {
            return nearest(type);
        }
    };

    private final Map<String, Entry<? super C, ?>> entries;
    /** Whether the channels of these configs accept others, whose options a bootstrap takes with a prefix. */
    private final boolean accepting;
    /** The class whose {@code setOption} speaks for this table; null for a table without an owner. */
    private final Class<?> owner;

    private OptionTable(Map<String, Entry<? super C, ?>> entries, boolean accepting, Class<?> owner) {
        this.entries = entries;
        this.accepting = accepting;
        this.owner = owner;
    }

    public static <C> OptionTable<C> empty() {
        return new OptionTable<>(Map.of(), false, null);
    }

    /**
     * The options that a config class has declared, for a subclass of it to extend.
     *
     * @throws IllegalStateException when the class declares none
     */
    @SuppressWarnings("unchecked") // ownedBy ties a class to a table of its own type
    public static <C> OptionTable<C> of(Class<? super C> owner) {
        initialize(owner);
        OptionTable<? super C> table = (OptionTable<? super C>) OWNED.get(owner);
        if (table == null) {
            throw new IllegalStateException("no options are declared by " + owner.getName());
        }
        return table.narrowed();
    }

    /** The options of a config, whose class or one above has declared them: one {@code setOption} serves all classes. */
    public static OptionTable<Object> ofConfig(Object config) {
        return NEAREST.get(config.getClass());
    }

    @SuppressWarnings("unchecked") // ownedBy ties a class to a table of its own type
    private static OptionTable<Object> nearest(Class<?> type) {
        Class<?> owner = type;
        while (!isOwner(owner)) {
            owner = owner.getSuperclass();
        }
        return (OptionTable<Object>) OWNED.get(owner);
    }

    static boolean isOwner(Class<?> type) {
        return OWNED.containsKey(type);
    }

    /** A class declares its options while it is initialized, which naming it does not bring about. */
    private static void initialize(Class<?> type) {
        try {
            MethodHandles.lookup().ensureInitialized(type); // a native image finds no class by a computed name
        } catch (IllegalAccessException e) {
            throw new AssertionError(type + " is a config that others may extend", e);
        }
    }

    /** For an option that can be set but not read. */
    public static <C, T> Function<C, T> unreadable() {
        return config -> null;
    }

    /**
     * This table and one option more.
     *
     * @param conversion checks a user's value and turns it into the option's type
     */
    public <T> OptionTable<C> with(
            String key,
            Function<Object, T> conversion,
            Function<? super C, ? extends T> getter,
            BiConsumer<? super C, ? super T> setter) {
        Map<String, Entry<? super C, ?>> extended = new LinkedHashMap<>(entries);
        extended.put(key, new Entry<C, T>(conversion, getter, setter));
        return new OptionTable<>(extended, accepting, null);
    }

    /** This table and one option more. */
    public <T> OptionTable<C> with(
            OptionKey<T> option, Function<? super C, ? extends T> getter, BiConsumer<? super C, ? super T> setter) {
        return with(option.key(), option::convert, getter, setter);
    }

    /** The same options, for a more special kind of config. */
    public <D extends C> OptionTable<D> narrowed() {
        return new OptionTable<D>(new LinkedHashMap<>(entries), accepting, null);
    }

    /** The same options, for channels that accept others. */
    public OptionTable<C> accepting() {
        return new OptionTable<>(entries, true, null);
    }

    /**
     * Declares the same options as those of a class, for its {@code setOption(String, Object)}. Unknown keys are reported there
     * unless a subclass overrides that method: it may know keys that this table does not, so only the outermost caller can tell.
     */
    public OptionTable<C> ownedBy(Class<C> owner) {
        OptionTable<C> owned = new OptionTable<>(entries, accepting, owner);
        OWNED.put(owner, owned);
        return owned;
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
            reportUnknown(config.getClass(), key);
        }
        return false;
    }

    /** Does with each option what a new config of the given class would, but for setting it. */
    public void check(Class<? extends C> type, Map<String, Object> options) {
        options.forEach((key, value) -> {
            Entry<? super C, ?> entry = entries.get(key);
            if (entry != null) {
                entry.conversion().apply(value);
            } else {
                reportUnknown(type, key);
            }
        });
    }

    /** The current value; null when the option is unknown here. */
    public <T> T get(C config, String key, Class<T> type) {
        Entry<? super C, ?> entry = entries.get(key);
        return entry == null ? null : type.cast(entry.get(config));
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

    /**
     * Reports a key that a config, the whole of it, did not know.
     *
     * @param type the config's class
     * @throws IllegalArgumentException when strict options are asked for
     */
    public void reportUnknown(Class<?> type, String key) {
        UnknownOptions.report(type, key, keys(), accepting);
    }

    private record Entry<C, T>(
            Function<Object, T> conversion,
            Function<? super C, ? extends T> getter,
            BiConsumer<? super C, ? super T> setter) {
        void set(C config, Object value) {
            setter.accept(config, conversion.apply(value));
        }

        T get(C config) {
            return getter.apply(config);
        }

        /** Null for an option that this system's sockets do not have. */
        T getIfSupported(C config) {
            try {
                return get(config);
            } catch (RuntimeException e) {
                if (e.getCause() instanceof UnsupportedOperationException) {
                    return null;
                }
                throw e;
            }
        }
    }
}
