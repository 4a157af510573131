package org.freshet.logging;

import java.util.Objects;

/**
 * Creates loggers, and holds the default factory, which creates Freshet's own.
 *
 * <p>Loggers from {@link #getInstance(String)} follow {@link #setDefaultFactory}: those created earlier, usually for
 * static fields, use the new factory from their next call on. Any thread may call any method.
 */
public abstract class InternalLoggerFactory {
    /** Null until it is set. */
    private static volatile InternalLoggerFactory chosen;

    public InternalLoggerFactory() {}

    /** The default factory; a {@link Slf4JLoggerFactory} unless {@link #setDefaultFactory} was called. */
    public static InternalLoggerFactory getDefaultFactory() {
        InternalLoggerFactory factory = chosen;
        return factory != null ? factory : LoggingDefaults.FACTORY;
    }

    /** Sends all of Freshet's messages, also those of loggers that exist already, to the loggers of this factory. */
    public static void setDefaultFactory(InternalLoggerFactory defaultFactory) {
        chosen = Objects.requireNonNull(defaultFactory, "defaultFactory");
    }

    /** A logger named after the class; see {@link #getInstance(String)}. */
    public static InternalLogger getInstance(Class<?> type) {
        return getInstance(type.getName());
    }

    /** A logger that uses the default factory at the time of each message. */
    public static InternalLogger getInstance(String name) {
        return new FollowingLogger(Objects.requireNonNull(name, "name"));
    }

    /**
     * Creates a logger of this factory, which does not change afterwards.
     *
     * @param name usually that of a class
     * @return never null
     */
    public abstract InternalLogger newInstance(String name);
}
