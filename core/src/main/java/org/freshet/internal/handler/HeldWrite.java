package org.freshet.internal.handler;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.MessageEvent;

/**
 * A write that a handler holds, and what it was charged to the channel's account: the message may change while it is held, the charge must
 * not. Is an event itself, for queues of events.
 */
public record HeldWrite(MessageEvent write, long charge) implements MessageEvent {
    /** What an event was charged: 0 if it is another one. */
    public static long chargeOf(ChannelEvent e) {
        return e instanceof HeldWrite held ? held.charge : 0;
    }

    @Override
    public Channel getChannel() {
        return write.getChannel();
    }

    @Override
    public ChannelFuture getFuture() {
        return write.getFuture();
    }

    @Override
    public Object getMessage() {
        return write.getMessage();
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return write.getRemoteAddress();
    }

    @Override
    public String toString() {
        return write.toString();
    }
}
