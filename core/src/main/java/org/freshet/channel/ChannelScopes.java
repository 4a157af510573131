package org.freshet.channel;

import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Puts a {@link ChannelScope} into effect, for the whole process: around upstream events where they enter a pipeline or come back from an
 * executor, around listeners of a channel's futures, tasks given to {@link ChannelPipeline#execute}, and conversations. A downstream
 * event runs in the scope of what caused it: where a proxy's handler writes to its other channel, that is still the first one's.
 *
 * <p>Without one, each of these looks at one field. Any thread may call any method.
 *
 * <pre>{@code
 * ChannelScopes.install(new MdcScope()); // at the start, before the first channel
 * }</pre>
 */
public final class ChannelScopes {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(ChannelScopes.class);

    private static volatile ChannelScope installed;

    /** The last one that threw: each is reported once, not at every event. */
    private static volatile ChannelScope reported;

    private ChannelScopes() {}

    /**
     * Sets the one scope of the process. Work that has begun ends in the scope in which it began.
     *
     * @param scope null for none
     * @return the one before, or null
     */
    public static synchronized ChannelScope install(ChannelScope scope) {
        ChannelScope before = installed;
        installed = scope;
        return before;
    }

    /** Null for none. */
    static ChannelScope installed() {
        return installed;
    }

    /**
     * Runs something for a channel within the scope, if one is installed. For code that does the work of a channel on a thread of its
     * own, such as an executor's.
     *
     * @param channel null for none: then there is no scope
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
        } catch (Throwable unloggable) { // for want of memory: the work goes on
            // Nothing else can be done about it.
        }
    }
}
