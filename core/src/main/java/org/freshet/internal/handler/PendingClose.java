package org.freshet.internal.handler;

import java.util.EnumSet;
import java.util.Set;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelLocal;
import org.freshet.channel.CloseReason;

/**
 * Knows which side has closed a channel, or is about to. A closed channel has a reason that says so; channels whose close was requested,
 * but that a handler or the transport keeps open for a while, are marked here: for example, a TLS alert is sent first. Any thread may call
 * any method.
 */
public final class PendingClose {
    private static final ChannelLocal<Boolean> REQUESTED = new ChannelLocal<>();

    /** What the peer, the network or a failure does. */
    private static final Set<CloseReason.Kind> NOT_OURS = EnumSet.of(
            CloseReason.Kind.COMPLETED,
            CloseReason.Kind.PEER_CLOSED,
            CloseReason.Kind.PEER_RESET,
            CloseReason.Kind.READ_FAILED,
            CloseReason.Kind.WRITE_FAILED,
            CloseReason.Kind.HANDLER_FAILED,
            CloseReason.Kind.CONNECT_FAILED,
            CloseReason.Kind.BIND_FAILED);

    private PendingClose() {}

    /** Marks an open channel: its close was requested and will be carried out. */
    public static void request(Channel channel) {
        REQUESTED.set(channel, Boolean.TRUE);
    }

    /** Whether this side closed the channel or requested that, as opposed to the peer or a failure of the connection. */
    public static boolean isRequested(Channel channel) {
        CloseReason reason = channel.getCloseReason();
        return reason != null && !NOT_OURS.contains(reason.kind()) || isMarked(channel);
    }

    static boolean isMarked(Channel channel) {
        return REQUESTED.get(channel) != null;
    }

    /** Whether the channel is closed, or its close was requested. */
    public static boolean isClosing(Channel channel) {
        return !channel.isOpen() || isRequested(channel);
    }
}
