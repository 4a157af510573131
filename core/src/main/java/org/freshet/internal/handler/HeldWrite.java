package org.freshet.internal.handler;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A write held by a handler, with its charge in the channel's account: the message may change while it is held, the charge must not. It is
 * itself an event, for queues of events. Only its holder sees it: another handler would take the charge for its own, and release it again.
 */
public record HeldWrite(MessageEvent write, long charge) implements MessageEvent {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(HeldWrite.class);
    private static final FailsafeLogMessage NOT_NOTIFIED =
            FailsafeLogMessage.warning(logger, "the handlers are not notified that bytes were released");

    /** Returns a write that is yet to be charged. Create it first: after the charge there might be no memory for it. */
    public static HeldWrite of(MessageEvent write) {
        return new HeldWrite(write, WriteAccount.bytesOf(write.getMessage()));
    }

    /** Releases the charge of an event, if it has one. Never throws, because there may be other writes to release. */
    public static void release(ChannelEvent e) {
        long charge = chargeOf(e);
        if (charge != 0) {
            release(e.getChannel(), charge);
        }
    }

    static void release(Channel channel, long charge) {
        try {
            WriteAccount.release(channel, charge);
        } catch (Throwable t) { // no memory for the consequences; the charge is released
            NOT_NOTIFIED.log(channel, t);
        }
    }

    /** Returns the charge of an event; 0 if it is of another type. */
    public static long chargeOf(ChannelEvent e) {
        return e instanceof HeldWrite held ? held.charge : 0;
    }

    /** Returns the event that the handlers below may see. */
    public static ChannelEvent unwrap(ChannelEvent e) {
        return e instanceof HeldWrite held ? held.write : e;
    }

    /** Returns the write that the handlers below may see. */
    public static MessageEvent unwrap(MessageEvent e) {
        return e instanceof HeldWrite held ? held.write : e;
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
