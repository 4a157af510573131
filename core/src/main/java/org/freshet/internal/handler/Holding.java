package org.freshet.internal.handler;

import java.util.concurrent.atomic.AtomicLong;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * One handler's part of a channel's {@link WriteAccount}: what it has charged and neither passed on nor released. Any thread may call.
 */
public final class Holding {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Holding.class);

    private final AtomicLong bytes = new AtomicLong();

    public long bytes() {
        return bytes.get();
    }

    /**
     * Asks whether the handler may hold a message; may block. Call it without holding a lock.
     *
     * @return the message with its charge; null if it was refused, and its future has failed
     */
    public HeldWrite admit(MessageEvent write) {
        return admit(write, WriteAccount.bytesOf(write.getMessage()));
    }

    /** Asks for a message that counts {@code charge}; see {@link #admit(MessageEvent)}. */
    public HeldWrite admit(MessageEvent write, long charge) {
        bytes.addAndGet(charge); // first: the account may ask the handler
        Exception refusal = admit(write.getChannel(), charge);
        if (refusal == null) {
            return new HeldWrite(write, charge);
        }
        bytes.addAndGet(-charge);
        UnsentMessage.fail(write, refusal);
        return null;
    }

    /** Takes a message that must be sent, whatever the limit is: how many of them there can be needs a bound of its own. */
    public HeldWrite charge(MessageEvent write, long charge) {
        HeldWrite held = new HeldWrite(write, charge);
        WriteAccount.charge(write.getChannel(), charge);
        bytes.addAndGet(charge);
        return held;
    }

    private Exception admit(Channel channel, long charge) {
        try {
            return WriteAccount.admit(channel, charge);
        } catch (Throwable t) { // without memory; the write fails
            bytes.addAndGet(-charge);
            throw t;
        }
    }

    /** Sends down a message that was held. */
    public void passOn(ChannelHandlerContext ctx, HeldWrite write) {
        passOn(ctx, write.write(), write.charge());
    }

    /**
     * Sends down an event that takes the place of what was held.
     *
     * @param charge of all that it replaces
     */
    public void passOn(ChannelHandlerContext ctx, ChannelEvent event, long charge) {
        bytes.addAndGet(-charge);
        WriteAccount.passOn(ctx, event, charge);
    }

    /** Ends the charge of a message, whatever happened to it. */
    public void release(HeldWrite write) {
        release(write.write().getChannel(), write.charge());
    }

    /** Ends the charge of a message that is not sent, and fails its future. Throws nothing: other messages are to fail, too. */
    public void fail(HeldWrite write, Throwable cause) {
        try {
            release(write);
        } finally {
            UnsentMessage.release(write.getMessage());
            complete(write, cause);
        }
    }

    /**
     * Completes the future of a message whose charge has ended. A user's future that throws keeps nothing from going on.
     *
     * @param cause null for success
     */
    public static void complete(HeldWrite write, Throwable cause) {
        try {
            if (cause == null) {
                write.getFuture().setSuccess();
            } else {
                write.getFuture().setFailure(cause);
            }
        } catch (RuntimeException | Error e) {
            logger.warn("the future of a write threw when it was completed: " + write, e);
        }
    }

    public void release(Channel channel, long charge) {
        bytes.addAndGet(-charge);
        WriteAccount.release(channel, charge);
    }
}
