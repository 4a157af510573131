package org.freshet.internal.handler;

import java.util.concurrent.Executor;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.DrainEvent;

/**
 * Goes up a pipeline before a drain closes a quiet channel. A handler that passes events to another thread holds the drain until that
 * thread has handled everything that came before.
 */
public record QuietProbe(DrainEvent drain) implements ChannelEvent {
    /** Returns the drain that the event belongs to; null for other kinds of events. */
    public static DrainEvent drainOf(ChannelEvent e) {
        if (e instanceof DrainEvent drain) {
            return drain;
        }
        if (e instanceof DrainedClose close) {
            return close.drain();
        }
        return e instanceof QuietProbe probe ? probe.drain : null;
    }

    /**
     * Moves the handling of an upstream event to another thread. If the event belongs to a drain, that waits for it.
     *
     * @param thread runs the task, or throws
     */
    public static void move(ChannelHandlerContext ctx, ChannelEvent e, Executor thread, Runnable handling) {
        DrainEvent drain = drainOf(e);
        if (drain == null) {
            thread.execute(handling);
            return;
        }
        DrainEvent.Hold hold = drain.hold(ctx, "events waiting for the connection's thread");
        try {
            thread.execute(() -> {
                try {
                    handling.run();
                } finally {
                    hold.release();
                }
            });
        } catch (Throwable refused) {
            hold.release();
            throw refused;
        }
    }

    @Override
    public Channel getChannel() {
        return drain.getChannel();
    }

    @Override
    public ChannelFuture getFuture() {
        return Channels.succeededFuture(getChannel());
    }
}
