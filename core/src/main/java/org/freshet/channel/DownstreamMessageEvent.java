package org.freshet.channel;

import java.net.SocketAddress;
import java.util.Objects;

/** A request to write a message. Immutable. */
public class DownstreamMessageEvent implements MessageEvent {
    private final Channel channel;
    private final ChannelFuture future;
    private final Object message;

    /** Null means the channel's peer, looked up on demand. */
    private final SocketAddress receiver;

    /**
     * Requests a write of {@code message}.
     *
     * @param future completes when the message has been sent or has failed
     * @param remoteAddress the receiver; null means the channel's peer
     */
    public DownstreamMessageEvent(Channel channel, ChannelFuture future, Object message, SocketAddress remoteAddress) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.future = Objects.requireNonNull(future, "future");
        this.message = Objects.requireNonNull(message, "message");
        this.receiver = remoteAddress;
    }

    @Override
    public Channel getChannel() {
        return channel;
    }

    @Override
    public ChannelFuture getFuture() {
        return future;
    }

    @Override
    public Object getMessage() {
        return message;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return receiver != null ? receiver : channel.getRemoteAddress();
    }

    @Override
    public String toString() {
        boolean toPeer = receiver == null || receiver.equals(channel.getRemoteAddress());
        return channel + " WRITE: " + message + (toPeer ? "" : " to " + receiver);
    }
}
