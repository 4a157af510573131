package org.freshet.handler.timeout;

import org.freshet.channel.ChannelEvent;

/**
 * Notifies handlers that nothing happened on a channel for some time. Travels upstream, on the channel's I/O thread.
 */
public interface IdleStateEvent extends ChannelEvent {
    IdleState getState();

    /**
     * Returns the time of the last activity of the kind named by {@link #getState()}, or of the start of watching if
     * there was no activity yet.
     *
     * @return milliseconds since 1970, UTC
     */
    long getLastActivityTimeMillis();
}
