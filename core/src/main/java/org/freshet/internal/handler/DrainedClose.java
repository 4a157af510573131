package org.freshet.internal.handler;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelState;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.UpstreamChannelStateEvent;

/**
 * Is channelClosed for a channel that a handler holds for a drain: a handler that passes events to another thread holds {@link #drain()} until
 * that thread has run the handlers above, which let go of the channel then.
 */
public final class DrainedClose extends UpstreamChannelStateEvent {
    private final DrainEvent drain;

    /** @param drain of its own, whose only use it is to be held */
    public DrainedClose(Channel channel, DrainEvent drain) {
        super(channel, ChannelState.OPEN, Boolean.FALSE);
        this.drain = drain;
    }

    DrainEvent drain() {
        return drain;
    }
}
