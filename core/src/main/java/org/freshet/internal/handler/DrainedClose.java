package org.freshet.internal.handler;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelState;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.UpstreamChannelStateEvent;

/**
 * The channelClosed event of a channel that a handler holds for a drain. A handler that passes events to another thread holds
 * {@link #drain()} until that thread has run the handlers above, so that they have released the channel.
 */
public final class DrainedClose extends UpstreamChannelStateEvent {
    private final DrainEvent drain;

    /**
     * @param drain a separate event that is only there to be held
     */
    public DrainedClose(Channel channel, DrainEvent drain) {
        super(channel, ChannelState.OPEN, Boolean.FALSE);
        this.drain = drain;
    }

    DrainEvent drain() {
        return drain;
    }
}
