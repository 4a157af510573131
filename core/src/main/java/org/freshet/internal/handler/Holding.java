package org.freshet.internal.handler;

import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.LastWords;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * One handler's part of a channel's {@link WriteAccount}: what it has charged and neither passed on nor released. Any thread may call.
 */
public final class Holding {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Holding.class);
    private static final LastWords FUTURE_THREW =
            LastWords.warning(logger, "the future of a write threw when it was completed");
    private static final LastWords NOT_REPORTED = LastWords.warning(logger, "a failure could not be reported");

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
        return admit(HeldWrite.of(write));
    }

    /** Asks for a message that counts {@code charge}; see {@link #admit(MessageEvent)}. */
    public HeldWrite admit(MessageEvent write, long charge) {
        return admit(new HeldWrite(write, charge));
    }

    private HeldWrite admit(HeldWrite write) {
        long charge = write.charge();
        bytes.addAndGet(charge); // first: the account may ask the handler
        Exception refusal;
        try {
            refusal = WriteAccount.admit(write.getChannel(), charge);
        } catch (Throwable t) { // without memory; the write fails
            bytes.addAndGet(-charge);
            UnsentMessage.release(write.getMessage());
            throw t;
        }
        if (refusal == null) {
            return write;
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

    /**
     * Asks for a message and queues it.
     *
     * @return the message with its charge; null if it was refused, and its future has failed
     * @throws RuntimeException what the queue throws, or an Error; the message isn't held then
     */
    public HeldWrite admitTo(Queue<? super HeldWrite> queue, MessageEvent write) {
        return queue(queue, admit(write));
    }

    /** Asks for a message that counts {@code charge} and queues it; see {@link #admitTo(Queue, MessageEvent)}. */
    public HeldWrite admitTo(Queue<? super HeldWrite> queue, MessageEvent write, long charge) {
        return queue(queue, admit(write, charge));
    }

    private HeldWrite queue(Queue<? super HeldWrite> queue, HeldWrite admitted) {
        if (admitted != null) {
            try {
                queue.add(admitted);
            } catch (Throwable t) {
                fail(admitted, t);
                throw t;
            }
        }
        return admitted;
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
        release(write.getChannel(), write.charge());
    }

    /** Ends the charge of a message that is not sent, and fails its future. Throws nothing: other messages are to fail, too. */
    public void fail(HeldWrite write, Throwable cause) {
        release(write);
        UnsentMessage.release(write.getMessage());
        complete(write, cause);
    }

    /**
     * Completes the future of a message whose charge has ended. A user's future that throws keeps nothing from going on.
     *
     * @param cause null for success
     */
    public static void complete(MessageEvent write, Throwable cause) {
        complete(write.getFuture(), cause);
    }

    /** Completes a future; see {@link #complete(MessageEvent, Throwable)}. */
    public static void complete(ChannelFuture future, Throwable cause) {
        try {
            if (cause == null) {
                future.setSuccess();
            } else {
                future.setFailure(cause);
            }
        } catch (Throwable e) {
            FUTURE_THREW.say(future, e);
        }
    }

    /** Sends an exception up later, from a handler. Throws nothing: if that fails, too, it is logged. */
    public static void report(ChannelHandlerContext ctx, Throwable failure) {
        try {
            Channels.fireExceptionCaughtLater(ctx, failure);
        } catch (Throwable t) {
            NOT_REPORTED.say(ctx.getName(), failure);
        }
    }

    /** Sends an exception up later, through all handlers; see {@link #report(ChannelHandlerContext, Throwable)}. */
    public static void report(Channel channel, Throwable failure) {
        try {
            Channels.fireExceptionCaughtLater(channel, failure);
        } catch (Throwable t) {
            NOT_REPORTED.say(channel, failure);
        }
    }

    /** Ends a charge. Throws nothing. */
    public void release(Channel channel, long charge) {
        bytes.addAndGet(-charge);
        HeldWrite.release(channel, charge);
    }
}
