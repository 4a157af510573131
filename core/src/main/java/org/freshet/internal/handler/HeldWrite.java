package org.freshet.internal.handler;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.LastWords;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A write that a handler holds, and what it was charged to the channel's account: the message may change while it is held, the charge must
 * not. Is an event itself, for queues of events.
 */
public record HeldWrite(MessageEvent write, long charge) implements MessageEvent {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(HeldWrite.class);
    private static final LastWords NOT_NOTIFIED =
            LastWords.warning(logger, "the handlers are not notified of what has left");

    /** A write to be charged. It is made first: afterwards there might be no memory for it. */
    public static HeldWrite of(MessageEvent write) {
        return new HeldWrite(write, WriteAccount.bytesOf(write.getMessage()));
    }

    /** Ends what an event was charged, if it was. Throws nothing, for there may be other writes to release. */
    public static void release(ChannelEvent e) {
        long charge = chargeOf(e);
        if (charge != 0) {
            release(e.getChannel(), charge);
        }
    }

    static void release(Channel channel, long charge) {
        try {
            WriteAccount.release(channel, charge);
        } catch (Throwable t) { // what follows from it finds no memory; the charge has ended
            NOT_NOTIFIED.say(channel, t);
        }
    }

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
