package org.freshet.logging;

/**
 * The factory that is used until another is set. The drop-in jar for Netty 3 has a class of this name of its own.
 *
 * <p>A class apart from {@link InternalLoggerFactory}, because a superclass that creates its subclass while loading can deadlock.
 */
final class LoggingDefaults {
    static final InternalLoggerFactory FACTORY = new Slf4JLoggerFactory();

    private LoggingDefaults() {}
}
