package org.freshet.handler.execution;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ExceptionEvent;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.handler.Holding;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Reports accepted events that will not be handled. Any thread may call it. */
final class LostEvents {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(LostEvents.class);
    private static final FailsafeLogMessage FUTURE_THREW =
            FailsafeLogMessage.warning(logger, "the future of a lost event threw when failed");

    private LostEvents() {}

    /** Fails the futures of the events and sends an exception event up each of their channels. Never throws. */
    static void report(Collection<Runnable> lost, Throwable cause) {
        Set<Channel> channels = new LinkedHashSet<>();
        for (Runnable task : lost) {
            if (task instanceof ChannelEventRunnable runnable) {
                ChannelEvent event = runnable.getEvent();
                fail(event, cause);
                if (!(event instanceof ExceptionEvent)) {
                    channels.add(event.getChannel());
                }
            }
        }
        for (Channel channel : channels) {
            Holding.report(channel, cause);
        }
    }

    /**
     * Fails the future of an event. Never throws, although a user's future may, and a user's event may have no future.
     */
    static void fail(ChannelEvent event, Throwable cause) {
        try {
            ChannelFuture future = event.getFuture();
            if (future != null) {
                future.setFailure(cause);
            }
        } catch (Throwable e) {
            FUTURE_THREW.log(event, e);
        }
    }
}
