package org.freshet.logging;

import java.util.Objects;

/**
 * Makes loggers, and holds the one factory that makes Freshet's.
 *
 * <p>Loggers from {@link #getInstance(String)} follow {@link #setDefaultFactory}: those handed out earlier, usually to
 * static fields, switch over with their next call. Any thread may call any method.
 */
public abstract class InternalLoggerFactory {
    /** Null until somebody chooses; slf4j then answers without having been loaded by this class. */
    private static volatile InternalLoggerFactory chosen;

    /** A class of its own, because a superclass that creates its subclass while loading can deadlock. */
    private static final class Slf4J {
        static final InternalLoggerFactory FACTORY = new Slf4JLoggerFactory();
    }

    public InternalLoggerFactory() {}

    /** The factory in charge; a {@link Slf4JLoggerFactory} unless {@link #setDefaultFactory} was called. */
    public static InternalLoggerFactory getDefaultFactory() {
        InternalLoggerFactory factory = chosen;
        return factory != null ? factory : Slf4J.FACTORY;
    }

    /** Sends all of Freshet's messages, also those of loggers that exist already, to the loggers of this factory. */
    public static void setDefaultFactory(InternalLoggerFactory defaultFactory) {
        chosen = Objects.requireNonNull(defaultFactory, "defaultFactory");
    }

    /** A logger named after the class; see {@link #getInstance(String)}. */
    public static InternalLogger getInstance(Class<?> type) {
        return getInstance(type.getName());
    }

    /** A logger that asks the factory in charge at the time of each message. */
    public static InternalLogger getInstance(String name) {
        return new FollowingLogger(Objects.requireNonNull(name, "name"));
    }

    /**
     * Makes a logger that writes by this factory's means and does not change afterwards.
     *
     * @param name usually that of a class
     * @return never null
     */
    public abstract InternalLogger newInstance(String name);
}
