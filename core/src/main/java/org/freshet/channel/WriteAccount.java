package org.freshet.channel;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.internal.HeldSize;
import org.freshet.internal.OpenInput;

/**
 * How much waits to be sent on a channel, wherever it waits: in the transport, in an {@code SslHandler}, behind a file that a
 * {@code ChunkedWriteHandler} is sending, in a traffic shaper. There is one account per channel. {@link ChannelOption#WRITE_BUFFER_LIMIT},
 * {@link WriteOverflow}, {@link MemoryBudget}, draining and metrics all read it. Water marks include the part that is in the transport and
 * in Freshet's handlers. If a handler of your own holds more than a little, it should call {@link Channel#setUserDefinedWritability}, as
 * traffic shapers do.
 *
 * <p>A message counts its bytes plus {@value #MESSAGE_BYTES} for the objects around them, rounded up to a multiple of 32. A file or a
 * chunked input counts {@value #FILE_BYTES}, because an open descriptor is not free.
 *
 * <p>A handler that holds messages on their way down charges the account when it takes one, and {@linkplain #passOn passes it on} through
 * the account, which hands the charge over to the next holder:
 *
 * <pre>{@code
 * class HoldingHandler extends SimpleChannelDownstreamHandler {
 *     private record Held(MessageEvent write, long bytes) {}
 *
 *     private final Queue<Held> queue = new ConcurrentLinkedQueue<>();
 *
 *     @Override
 *     public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
 *         long bytes = WriteAccount.bytesOf(e.getMessage());
 *         Exception refusal = WriteAccount.admit(ctx.getChannel(), bytes);
 *         if (refusal == null) {
 *             queue.add(new Held(e, bytes));
 *         } else {
 *             e.getFuture().setFailure(refusal);
 *         }
 *     }
 *
 *     void sendAll(ChannelHandlerContext ctx) {
 *         for (Held next = queue.poll(); next != null; next = queue.poll()) {
 *             WriteAccount.passOn(ctx, next.write(), next.bytes());
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>A channel that does not extend {@link AbstractChannel} has no account: nothing waits there, and every message is admitted.
 *
 * <p>Any thread may call any method.
 */
public final class WriteAccount {
    /** Per-message overhead, added to the message's bytes. */
    public static final int MESSAGE_BYTES = 96;

    /** The charge for a file or a chunked input, whatever its length. */
    public static final int FILE_BYTES = 16 * 1024;

    private static final int UNIT_BYTES = 1 << AccountedChannel.UNIT_SHIFT;

    /** The maximum charge for a message's bytes: larger buffers are shared or mapped. */
    private static final long MAX_MESSAGE_BYTES = 1L << 30;

    private WriteAccount() {}

    /** Returns the bytes waiting to be sent on a channel. */
    public static long waitingBytes(Channel channel) {
        return channel instanceof AccountedChannel account ? account.waitingBytes() : 0;
    }

    /** Returns the part of the {@linkplain #waitingBytes waiting bytes} that has reached the transport. */
    public static long queuedBytes(Channel channel) {
        return channel instanceof AccountedChannel account ? account.queuedWriteBytes() : 0;
    }

    /**
     * Returns how many bytes to charge for a message while it waits.
     *
     * @param message if its size is unknown, as for an object yet to be encoded, it counts {@value #MESSAGE_BYTES}
     */
    public static long bytesOf(Object message) {
        if (message instanceof ChannelBuffer buffer) {
            return costOf(buffer.readableBytes());
        }
        if (message instanceof FileRegion || message instanceof OpenInput) {
            return FILE_BYTES;
        }
        if (message instanceof HeldSize sized) {
            return costOf(sized.heldBytes());
        }
        if (message instanceof CharSequence text) {
            return costOf(text.length());
        }
        if (message instanceof byte[] bytes) {
            return costOf(bytes.length);
        }
        return message == OutputShutdown.INSTANCE ? 0 : MESSAGE_BYTES;
    }

    /**
     * Returns how many bytes to charge for a message of a given size while it waits.
     *
     * @param bytes 0 or more
     */
    public static long costOf(long bytes) {
        return (Math.min(bytes, MAX_MESSAGE_BYTES) + MESSAGE_BYTES + UNIT_BYTES - 1) & -UNIT_BYTES;
    }

    /**
     * Charges a message that a handler wants to hold, if there is room. At the channel's limit, {@link WriteOverflow} decides: the call may
     * block, close the channel, or make the write fail. Call it without holding a lock.
     *
     * @param bytes the size according to {@link #bytesOf}; 0 or more
     * @return null if the message was charged; otherwise the cause to fail its future with
     */
    public static Exception admit(Channel channel, long bytes) {
        return channel instanceof AccountedChannel account ? account.admitHeld(AccountedChannel.unitsOf(bytes)) : null;
    }

    /** Whether a message would be admitted now; another message may take the room first. */
    public static boolean hasRoomFor(Channel channel, long bytes) {
        return !(channel instanceof AccountedChannel account) || account.hasRoomFor(AccountedChannel.unitsOf(bytes));
    }

    /**
     * Charges a message that a handler holds and must be able to send, regardless of the channel's limit, such as the messages of its own
     * protocol. The handler must limit these itself.
     *
     * @param bytes 0 or more
     */
    public static void charge(Channel channel, long bytes) {
        if (channel instanceof AccountedChannel account) {
            account.chargeHeld(AccountedChannel.unitsOf(bytes));
        }
    }

    /**
     * Releases the charge for a message that a handler no longer holds and doesn't pass on, because its write has failed.
     *
     * @param bytes the size that was charged
     */
    public static void release(Channel channel, long bytes) {
        if (channel instanceof AccountedChannel account) {
            account.releaseHeld(AccountedChannel.unitsOf(bytes));
        }
    }

    /**
     * Sends down a message that a handler has held. The charge goes with it: the next holder, a handler or the transport, takes it over. If
     * nothing takes it over, it is released when this method returns. The message was already admitted, so it is not refused again.
     *
     * @param event usually the write that was held, or one that replaces it
     * @param bytes the size that was charged; 0 for a message that must be sent and was not held
     */
    public static void passOn(ChannelHandlerContext ctx, ChannelEvent event, long bytes) {
        if (ctx.getChannel() instanceof AccountedChannel account) {
            Handover.send(account, AccountedChannel.unitsOf(bytes), ctx, event);
        } else {
            ctx.sendDownstream(event);
        }
    }

    /** An action that sends a message down. */
    @FunctionalInterface
    public interface SendAction {
        void run() throws Exception;
    }

    /**
     * Hands the charge over like {@link #passOn(ChannelHandlerContext, ChannelEvent, long)}, for a handler that sends the message down by
     * other means.
     *
     * @param action runs before this method returns
     * @throws Exception if the action throws it
     */
    public static void passOn(Channel channel, long bytes, SendAction action) throws Exception {
        if (channel instanceof AccountedChannel account) {
            Handover.run(account, AccountedChannel.unitsOf(bytes), action);
        } else {
            action.run();
        }
    }

    /**
     * Whether the handlers and the transport below a handler can take more. For a handler that holds data back until then, such as one that
     * reads a file. Unlike {@link Channel#isWritable()}, it ignores what that handler and those above it hold. It may become true with any
     * {@link WriteCompletionEvent} or {@code channelInterestChanged}.
     *
     * @param ctx the context of the calling handler
     */
    public static boolean hasRoomBelow(ChannelHandlerContext ctx) {
        return ctx.getChannel() instanceof AccountedChannel account
                ? account.hasRoomBelow(ctx)
                : ctx.getChannel().isWritable();
    }

    /**
     * Whether {@link #hasRoomBelow} is true and no {@linkplain Channel#setUserDefinedWritability user-defined writability} is off. For data
     * that could just as well be sent later.
     *
     * @param ctx the context of the calling handler
     */
    public static boolean isWritableBelow(ChannelHandlerContext ctx) {
        return hasRoomBelow(ctx)
                && !(ctx.getChannel() instanceof AccountedChannel account && account.isUnwritableByUsers());
    }
}
