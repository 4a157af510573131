package org.freshet.internal;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelLocal;

/**
 * Channels that are going to close although they are open: a handler holds the request to close back, say to tell the peer
 * first. Any thread.
 */
public final class DelayedClose {
    private static final ChannelLocal<Boolean> REQUESTED = new ChannelLocal<>();

    private DelayedClose() {}

    /** Notes that a request to close the channel came, which will be carried out later. */
    public static void request(Channel channel) {
        REQUESTED.set(channel, Boolean.TRUE);
    }

    /** Whether the channel is closed, or is going to be on a request that came. */
    public static boolean isClosing(Channel channel) {
        return !channel.isOpen() || REQUESTED.get(channel) != null;
    }
}
