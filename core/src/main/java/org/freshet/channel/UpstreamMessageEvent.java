package org.freshet.channel;

import java.net.SocketAddress;
import java.util.Objects;

/** A message was received. Immutable. */
public class UpstreamMessageEvent extends UpstreamEvent implements MessageEvent {
    private final Object message;

    /** Null means the channel's peer, looked up on demand: few handlers want it, and this event is on the hot path. */
    private final SocketAddress sender;

    /**
     * Reports {@code message}.
     *
     * @param remoteAddress the sender; null means the channel's peer
     */
    public UpstreamMessageEvent(Channel channel, Object message, SocketAddress remoteAddress) {
        super(channel);
        this.message = Objects.requireNonNull(message, "message");
        this.sender = remoteAddress;
    }

    @Override
    public Object getMessage() {
        return message;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return sender != null ? sender : getChannel().getRemoteAddress();
    }

    @Override
    public String toString() {
        boolean fromPeer = sender == null || sender.equals(getChannel().getRemoteAddress());
        return getChannel() + " RECEIVED: " + message + (fromPeer ? "" : " from " + sender);
    }
}
