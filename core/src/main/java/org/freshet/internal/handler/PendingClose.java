package org.freshet.internal.handler;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelLocal;

/**
 * Marks channels whose close was requested on this side: those that a handler keeps open for a while, for example to send a TLS alert
 * first, and those that did not close because their peer did. Any thread may call any method.
 */
public final class PendingClose {
    private static final ChannelLocal<Boolean> REQUESTED = new ChannelLocal<>();

    private PendingClose() {}

    /** Marks the channel: its close was requested and will be carried out. */
    public static void request(Channel channel) {
        REQUESTED.set(channel, Boolean.TRUE);
    }

    /** Whether this side requested the close, as opposed to the peer or a failure of the connection. */
    public static boolean isRequested(Channel channel) {
        return REQUESTED.get(channel) != null;
    }

    /** Whether the channel is closed, or its close was requested. */
    public static boolean isClosing(Channel channel) {
        return !channel.isOpen() || isRequested(channel);
    }
}
