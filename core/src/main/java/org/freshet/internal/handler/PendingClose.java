package org.freshet.internal.handler;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelLocal;

/**
 * Marks open channels whose close was requested but is held back by a handler, for example to send a TLS alert first. Any
 * thread may call.
 */
public final class PendingClose {
    private static final ChannelLocal<Boolean> REQUESTED = new ChannelLocal<>();

    private PendingClose() {}

    /** Marks the channel: its close was requested and will be carried out later. */
    public static void request(Channel channel) {
        REQUESTED.set(channel, Boolean.TRUE);
    }

    /** Whether the channel is closed, or its close was requested. */
    public static boolean isClosing(Channel channel) {
        return !channel.isOpen() || REQUESTED.get(channel) != null;
    }
}
