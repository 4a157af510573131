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
 * The options of a config class: for each key, the function that checks and converts a value, and the config's getter and setter.
 *
 * <p>A config class declares its table with {@link #ownedBy}; a subclass in any package extends it with {@link #of}. So each package states
 * its own options and doesn't need to know the packages that build on it.
 *
 * <p>Immutable, one per class, not per channel; any thread may use it.
 *
 * @param <C> the config's type
 */
public final class OptionTable<C> {
    private static final Map<Class<?>, OptionTable<?>> OWNED = new ConcurrentHashMap<>();

    /** The table of each config class, or of its nearest superclass that has one. */
    private static final ClassValue<OptionTable<Object>> NEAREST = new ClassValue<>() {
        @Override
        protected OptionTable<Object> computeValue(Class<?> type) {
            return nearest(type);
        }
    };

    private final Map<String, Entry<? super C, ?>> entries;
    /** Whether the channels of these configs accept others, whose options a bootstrap takes with a prefix. */
    private final boolean accepting;
    /** The class whose {@code setOption} uses this table; null for a table without an owner. */
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
     * Returns the options that a config class has declared, for a subclass to extend.
     *
     * @throws IllegalStateException if the class declares none
     */
    @SuppressWarnings("unchecked") // ownedBy ties a class to a table of its own type
    public static <C> OptionTable<C> of(Class<? super C> owner) {
        initialize(owner);
        OptionTable<? super C> table = (OptionTable<? super C>) OWNED.get(owner);
        if (table == null) {
            throw new IllegalStateException(owner.getName() + " declares no options");
        }
        return table.narrowed();
    }

    /** Returns the options declared by a config's class or superclass, so that one {@code setOption} serves all classes. */
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

    /** A class declares its options in its initializer, and a class literal does not initialize it. */
    private static void initialize(Class<?> type) {
        try {
            MethodHandles.lookup().ensureInitialized(type); // a native image finds no class by a computed name
        } catch (IllegalAccessException e) {
            throw new AssertionError("cannot initialize " + type, e);
        }
    }

    /** The getter of an option that can be set but not read. */
    public static <C, T> Function<C, T> unreadable() {
        return config -> null;
    }

    /**
     * Returns this table with one more option.
     *
     * @param conversion checks a user's value and converts it to the option's type
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

    /** Returns this table with one more option. */
    public <T> OptionTable<C> with(
            OptionKey<T> option, Function<? super C, ? extends T> getter, BiConsumer<? super C, ? super T> setter) {
        return with(option.key(), option::convert, getter, setter);
    }

    /** Returns the same options, for a more specific config class. */
    public <D extends C> OptionTable<D> narrowed() {
        return new OptionTable<D>(new LinkedHashMap<>(entries), accepting, null);
    }

    /** Returns the same options, for channels that accept others. */
    public OptionTable<C> accepting() {
        return new OptionTable<>(entries, true, null);
    }

    /**
     * Declares these options as a class's own, for its {@code setOption(String, Object)}. That method logs unknown keys unless a subclass
     * overrides it: the subclass may know keys that this table does not, so only the outermost caller can judge.
     */
    public OptionTable<C> ownedBy(Class<C> owner) {
        OptionTable<C> owned = new OptionTable<>(entries, accepting, owner);
        OWNED.put(owner, owned);
        return owned;
    }

    public Set<String> keys() {
        return Collections.unmodifiableSet(entries.keySet());
    }

    /** Converts, checks and sets a value; returns false if the key is unknown. */
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

    /** Checks each option as a new config of the given class would, without setting it. */
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

    /** Returns the current value; null if the option is unknown here. */
    public <T> T get(C config, String key, Class<T> type) {
        Entry<? super C, ?> entry = entries.get(key);
        return entry == null ? null : type.cast(entry.get(config));
    }

    /** Returns all values that can be read. */
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
     * Reports a key that neither a config nor its subclasses knew.
     *
     * @param type the config's class
     * @throws IllegalArgumentException with strict options
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

        /** Returns null for an option that this system's sockets do not support. */
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
