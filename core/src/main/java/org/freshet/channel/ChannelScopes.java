package org.freshet.channel;

import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Installs a {@link ChannelScope} for the whole process. The scope runs around upstream events when they enter a pipeline or come back from
 * an executor, and around listeners of a channel's futures, tasks passed to {@link ChannelPipeline#execute}, and conversations. A
 * downstream event runs in the scope of the work that caused it: when a proxy's handler writes to its other channel, that is still the
 * first channel's scope.
 *
 * <p>Without a scope, each of these costs one field read. Any thread may call any method.
 *
 * <pre>{@code
 * ChannelScopes.install(new MdcScope()); // at the start, before the first channel
 * }</pre>
 */
public final class ChannelScopes {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(ChannelScopes.class);

    private static volatile ChannelScope installed;

    /** The last scope that threw. Each scope is reported once, not at every event. */
    private static volatile ChannelScope reported;

    private ChannelScopes() {}

    /**
     * Installs the scope of the process, replacing any other. Work that has begun exits the scope that it entered.
     *
     * @param scope null for none
     * @return the previous scope, or null
     */
    public static synchronized ChannelScope install(ChannelScope scope) {
        ChannelScope before = installed;
        installed = scope;
        return before;
    }

    /** Null if no scope is installed. */
    static ChannelScope installed() {
        return installed;
    }

    /**
     * Runs work for a channel within the scope, if one is installed. For code that does a channel's work on another thread, such as an
     * executor's.
     *
     * @param channel null runs the work without a scope
     */
    public static void run(Channel channel, Runnable work) {
        ChannelScope scope = channel == null ? null : installed;
        if (scope == null) {
            work.run();
        } else {
            run(scope, channel, work);
        }
    }

    private static void run(ChannelScope scope, Channel channel, Runnable work) {
        Object token;
        try {
            token = scope.enter(channel);
        } catch (Throwable t) {
            log(scope, "entered", t);
            work.run();
            return;
        }
        try {
            work.run();
        } finally {
            exit(scope, token);
        }
    }

    private static void exit(ChannelScope scope, Object token) {
        try {
            scope.exit(token);
        } catch (Throwable t) {
            log(scope, "left", t);
        }
    }

    private static void log(ChannelScope scope, String moment, Throwable t) {
        if (reported == scope) {
            return;
        }
        reported = scope;
        try {
            logger.warn(
                    "a scope threw when it was " + moment + ": "
                            + scope.getClass().getName(),
                    t);
        } catch (Throwable unloggable) { // out of memory; the work goes on
            // There is nothing else to do.
        }
    }
}
