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
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * One handler's part of a channel's {@link WriteAccount}: the bytes it has charged and neither passed on nor released. Any thread may call
 * any method.
 */
public final class Holding {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Holding.class);
    private static final FailsafeLogMessage FUTURE_THREW =
            FailsafeLogMessage.warning(logger, "the future of a write threw when it was completed");
    private static final FailsafeLogMessage NOT_REPORTED =
            FailsafeLogMessage.warning(logger, "cannot report a failure");

    private final AtomicLong bytes = new AtomicLong();

    public long bytes() {
        return bytes.get();
    }

    /**
     * Charges a message that the handler wants to hold, if there is room; may block. Call it without holding a lock.
     *
     * @return the message with its charge; null if it was refused, and its future has failed
     */
    public HeldWrite admit(MessageEvent write) {
        return admit(HeldWrite.of(write));
    }

    /** Charges a message with a given charge; see {@link #admit(MessageEvent)}. */
    public HeldWrite admit(MessageEvent write, long charge) {
        return admit(new HeldWrite(write, charge));
    }

    private HeldWrite admit(HeldWrite write) {
        long charge = write.charge();
        bytes.addAndGet(charge); // first: the account may ask the handler
        Exception refusal;
        try {
            refusal = WriteAccount.admit(write.getChannel(), charge);
        } catch (Throwable t) { // out of memory; the write fails
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

    /** Charges a message that must be sent, regardless of the limit. The handler must limit the number of such messages itself. */
    public HeldWrite charge(MessageEvent write, long charge) {
        HeldWrite held = new HeldWrite(write, charge);
        WriteAccount.charge(write.getChannel(), charge);
        bytes.addAndGet(charge);
        return held;
    }

    /**
     * Charges a message, if there is room, and queues it.
     *
     * @return the message with its charge; null if it was refused, and its future has failed
     * @throws RuntimeException or an Error, thrown by the queue; the message isn't held then
     */
    public HeldWrite admitTo(Queue<? super HeldWrite> queue, MessageEvent write) {
        return queue(queue, admit(write));
    }

    /** Charges a message with a given charge and queues it; see {@link #admitTo(Queue, MessageEvent)}. */
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

    /** Sends down a held message. */
    public void passOn(ChannelHandlerContext ctx, HeldWrite write) {
        passOn(ctx, write.write(), write.charge());
    }

    /**
     * Sends down a held event, or one that replaces held messages.
     *
     * @param charge the total charge of the messages it replaces
     */
    public void passOn(ChannelHandlerContext ctx, ChannelEvent event, long charge) {
        bytes.addAndGet(-charge);
        WriteAccount.passOn(ctx, HeldWrite.unwrap(event), charge);
    }

    /** Releases the charge of a message. */
    public void release(HeldWrite write) {
        release(write.getChannel(), write.charge());
    }

    /** Releases the charge of a message that is not sent, and fails its future. Never throws: other messages must fail, too. */
    public void fail(HeldWrite write, Throwable cause) {
        release(write);
        UnsentMessage.release(write.getMessage());
        complete(write, cause);
    }

    /**
     * Completes the future of a message whose charge was released. If a user's future throws, the exception is logged.
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
            FUTURE_THREW.log(future, e);
        }
    }

    /** Sends an exception up later, from a handler. Never throws: if that fails, too, the exception is logged. */
    public static void report(ChannelHandlerContext ctx, Throwable failure) {
        try {
            Channels.fireExceptionCaughtLater(ctx, failure);
        } catch (Throwable t) {
            NOT_REPORTED.log(ctx.getName(), failure);
        }
    }

    /** Sends an exception up later, through all handlers; see {@link #report(ChannelHandlerContext, Throwable)}. */
    public static void report(Channel channel, Throwable failure) {
        try {
            Channels.fireExceptionCaughtLater(channel, failure);
        } catch (Throwable t) {
            NOT_REPORTED.log(channel, failure);
        }
    }

    /** Releases a charge. Never throws. */
    public void release(Channel channel, long charge) {
        bytes.addAndGet(-charge);
        HeldWrite.release(channel, charge);
    }
}
