package org.freshet.channel;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.internal.HeldSize;
import org.freshet.internal.OpenInput;

/**
 * How much waits to be sent on a channel, wherever it waits: in the transport, in an {@code SslHandler}, behind a file that a
 * {@code ChunkedWriteHandler} sends, in a traffic shaper. There is one account per channel. {@link
 * ChannelOption#WRITE_BUFFER_LIMIT}, {@link WriteOverflow}, {@link MemoryBudget}, draining and metrics all read it. Water marks count of it
 * what is in the transport and in Freshet's handlers; a handler of your own that holds more than a little says so by {@link
 * Channel#setUserDefinedWritability}, as traffic shapers do.
 *
 * <p>A message counts its bytes and {@value #MESSAGE_BYTES} more for the objects around them, rounded up to a multiple of 32; a file
 * or a chunked input counts {@value #FILE_BYTES}, because an open descriptor is not free.
 *
 * <p>A handler that keeps messages on their way down charges the account when it takes one, and {@linkplain #passOn passes it on} through
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
    /** What a message counts besides its bytes. */
    public static final int MESSAGE_BYTES = 96;

    /** What a file or a chunked input counts, whatever its length. */
    public static final int FILE_BYTES = 16 * 1024;

    private static final int UNIT_BYTES = 1 << AccountedChannel.UNIT_SHIFT;

    /** A message of more counts as one of so many: buffers of this size are shared or mapped. */
    private static final long MAX_MESSAGE_BYTES = 1L << 30;

    private WriteAccount() {}

    /** The bytes that wait on a channel. */
    public static long waitingBytes(Channel channel) {
        return channel instanceof AccountedChannel account ? account.waitingBytes() : 0;
    }

    /** Of the {@linkplain #waitingBytes bytes that wait}, those that have reached the transport. */
    public static long queuedBytes(Channel channel) {
        return channel instanceof AccountedChannel account ? account.queuedWriteBytes() : 0;
    }

    /**
     * What a message counts while it waits.
     *
     * @param message one whose size is not known, such as an object that an encoder has yet to encode, counts {@value #MESSAGE_BYTES}
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
     * What a message of some bytes counts while it waits.
     *
     * @param bytes 0 or more
     */
    public static long costOf(long bytes) {
        return (Math.min(bytes, MAX_MESSAGE_BYTES) + MESSAGE_BYTES + UNIT_BYTES - 1) & -UNIT_BYTES;
    }

    /**
     * Asks whether a handler may hold a message, and charges it if so. At the channel's limit, {@link WriteOverflow} decides: the call may
     * block, close the channel, or have the write fail. Call it without holding a lock.
     *
     * @param bytes what the message {@linkplain #bytesOf counts}; 0 or more
     * @return null if the message was charged; otherwise the cause to fail its future with
     */
    public static Exception admit(Channel channel, long bytes) {
        return channel instanceof AccountedChannel account ? account.admitHeld(AccountedChannel.unitsOf(bytes)) : null;
    }

    /** Whether a message would be admitted now; another one may come before it. */
    public static boolean hasRoomFor(Channel channel, long bytes) {
        return !(channel instanceof AccountedChannel account) || account.hasRoomFor(AccountedChannel.unitsOf(bytes));
    }

    /**
     * Charges what a handler holds and must be able to send, whatever the channel's limit: such as the messages of its own protocol, which
     * need a bound of their own.
     *
     * @param bytes 0 or more
     */
    public static void charge(Channel channel, long bytes) {
        if (channel instanceof AccountedChannel account) {
            account.chargeHeld(AccountedChannel.unitsOf(bytes));
        }
    }

    /**
     * Releases what a handler holds no longer and does not pass on either, because its write has failed.
     *
     * @param bytes as they were charged
     */
    public static void release(Channel channel, long bytes) {
        if (channel instanceof AccountedChannel account) {
            account.releaseHeld(AccountedChannel.unitsOf(bytes));
        }
    }

    /**
     * Sends down what a handler has held. The charge goes with it: the next party that holds the message, a handler or the transport, takes
     * it over; if nothing does, it is released when this method returns. Because the message was admitted already, it is not refused.
     *
     * @param event most often the write that was held; or one that replaces it
     * @param bytes as they were charged; 0 for a message that must be sent and was not held
     */
    public static void passOn(ChannelHandlerContext ctx, ChannelEvent event, long bytes) {
        if (ctx.getChannel() instanceof AccountedChannel account) {
            Handover.send(account, AccountedChannel.unitsOf(bytes), ctx, event);
        } else {
            ctx.sendDownstream(event);
        }
    }

    /** What sends a message down. */
    @FunctionalInterface
    public interface Step {
        void run() throws Exception;
    }

    /**
     * Does what {@link #passOn(ChannelHandlerContext, ChannelEvent, long)} does, for a handler that sends the message down in a way of its
     * own.
     *
     * @param step runs before this method returns
     * @throws Exception what the step threw
     */
    public static void passOn(Channel channel, long bytes, Step step) throws Exception {
        if (channel instanceof AccountedChannel account) {
            Handover.run(account, AccountedChannel.unitsOf(bytes), step);
        } else {
            step.run();
        }
    }

    /**
     * Whether what is below a handler can take more, for a handler that holds data back until then, such as one that reads a file. Unlike
     * {@link Channel#isWritable()}, it does not count what the handler itself and those above it hold. It may become true with any {@link
     * WriteCompletionEvent} or {@code channelInterestChanged}.
     *
     * @param ctx the handler that asks
     */
    public static boolean hasRoomBelow(ChannelHandlerContext ctx) {
        return ctx.getChannel() instanceof AccountedChannel account
                ? account.hasRoomBelow(ctx)
                : ctx.getChannel().isWritable();
    }

    /**
     * Whether {@link #hasRoomBelow} is true and no {@linkplain Channel#setUserDefinedWritability user-defined writability} is off: for what could be sent later just as well.
     *
     * @param ctx the handler that asks
     */
    public static boolean mayFeed(ChannelHandlerContext ctx) {
        return hasRoomBelow(ctx)
                && !(ctx.getChannel() instanceof AccountedChannel account && account.isUnwritableByUsers());
    }
}
