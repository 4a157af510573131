package org.freshet.handler.timeout;

import org.freshet.channel.ChannelEvent;

/** Tells handlers that nothing happened on a channel for a while. Travels upstream, on the channel's I/O thread. */
public interface IdleStateEvent extends ChannelEvent {
    IdleState getState();

    /**
     * When the last thing happened of which {@link #getState()} tells the absence; when watching began if nothing ever did.
     *
     * @return milliseconds since 1970, UTC
     */
    long getLastActivityTimeMillis();
}
