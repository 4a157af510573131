package org.freshet.logging;

/**
 * The factory used until another is set. The drop-in jar for Netty 3 replaces this class with its own.
 *
 * <p>Separate from {@link InternalLoggerFactory} because a superclass that creates its subclass while loading can
 * deadlock.
 */
final class LoggingDefaults {
    static final InternalLoggerFactory FACTORY = new Slf4JLoggerFactory();

    private LoggingDefaults() {}
}
