package org.freshet.internal.handler;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
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

    @Override
    public Channel getChannel() {
        return drain.getChannel();
    }

    @Override
    public ChannelFuture getFuture() {
        return Channels.succeededFuture(getChannel());
    }
}
