package org.freshet.logging;

import java.util.Objects;

/**
 * Creates loggers, and holds the default factory that makes Freshet's own loggers.
 *
 * <p>Loggers from {@link #getInstance(String)} follow {@link #setDefaultFactory}: existing loggers, usually in static
 * fields, use the new factory from their next call. Any thread may call any method.
 */
public abstract class InternalLoggerFactory {
    /** Null until it is set. */
    private static volatile InternalLoggerFactory chosen;

    public InternalLoggerFactory() {}

    /** Returns the default factory: a {@link Slf4JLoggerFactory} unless {@link #setDefaultFactory} was called. */
    public static InternalLoggerFactory getDefaultFactory() {
        InternalLoggerFactory factory = chosen;
        return factory != null ? factory : LoggingDefaults.FACTORY;
    }

    /** Sends all of Freshet's messages to loggers of this factory, including the messages of existing loggers. */
    public static void setDefaultFactory(InternalLoggerFactory defaultFactory) {
        chosen = Objects.requireNonNull(defaultFactory, "defaultFactory");
    }

    /** Returns a logger named after the class; see {@link #getInstance(String)}. */
    public static InternalLogger getInstance(Class<?> type) {
        return getInstance(type.getName());
    }

    /** Returns a logger that looks up the default factory for each message. */
    public static InternalLogger getInstance(String name) {
        return new FollowingLogger(Objects.requireNonNull(name, "name"));
    }

    /**
     * Creates a logger of this factory. Unlike one from {@link #getInstance(String)}, it stays with this factory.
     *
     * @param name usually a class name
     * @return never null
     */
    public abstract InternalLogger newInstance(String name);
}
