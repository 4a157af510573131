package org.freshet.internal.transport;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.CloseReason;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.internal.CongestedChannels;
import org.freshet.internal.HoldsBytes;
import org.freshet.internal.flight.Flight;

/**
 * Decides whether a message may wait on a channel with a limit, and does what the channel's {@link WriteOverflow} says if not.
 *
 * <p>A message is asked about once on its way down: by the handlers that hold messages, or by the transport where there are none. What TLS
 * has encrypted must not be refused any more, or the peer could not decrypt the rest.
 *
 * <p>Any thread may call, holding no lock.
 */
public final class WriteLimit {
    /** How long a blocked thread waits before it looks by itself: there may be room before the channel is writable again. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private WriteLimit() {}

    /** Whether a message fits; where it is alone it always does. */
    public static boolean hasRoom(int limitBytes, long waitingBytes, long newBytes) {
        return waitingBytes <= 0 || waitingBytes + newBytes <= limitBytes;
    }

    /** For a handler that is about to hold a message; returns null if it may, else what to fail the message with. */
    public static Exception refusal(HoldsBytes handler, Channel channel, long newBytes) {
        if (!(channel instanceof BoundedChannel bounded)) {
            return null;
        }
        int limit = bounded.writeLimitBytes();
        if (limit == 0 || newBytes <= 0) {
            return null;
        }
        BooleanSupplier mayHold = () -> hasRoom(limit, waitingBytes(handler, channel, bounded), newBytes);
        return mayHold.getAsBoolean()
                ? null
                : refuse(channel, bounded, waitingBytes(handler, channel, bounded), newBytes, mayHold);
    }

    /** Whether a handler could hold a message. */
    public static boolean hasRoom(HoldsBytes handler, Channel channel, long newBytes) {
        if (!(channel instanceof BoundedChannel bounded)) {
            return true;
        }
        int limit = bounded.writeLimitBytes();
        return limit == 0 || newBytes <= 0 || hasRoom(limit, waitingBytes(handler, channel, bounded), newBytes);
    }

    private static long waitingBytes(HoldsBytes handler, Channel channel, BoundedChannel bounded) {
        return handler.heldBytes(channel) + bounded.queuedBytes();
    }

    /**
     * For a transport, about a message that does not fit.
     *
     * @param tryQueue counts the message if there is room, which another message that was refused meanwhile may leave
     * @return null if it was counted in the end, else what to fail the message with
     */
    public static <C extends Channel & BoundedChannel> Exception refusal(
            C channel, long newBytes, BooleanSupplier tryQueue) {
        return tryQueue.getAsBoolean() ? null : refuse(channel, channel, channel.queuedBytes(), newBytes, tryQueue);
    }

    /** Whether a handler of the channel has been asked about what now comes to the transport. Walks the pipeline. */
    public static boolean isDecidedAbove(Channel channel) {
        for (ChannelHandler handler : channel.getPipeline().toMap().values()) {
            if (handler instanceof HoldsBytes) {
                return true;
            }
        }
        return false;
    }

    private static Exception refuse(
            Channel channel, BoundedChannel bounded, long waitingBytes, long newBytes, BooleanSupplier tryAgain) {
        Object recorded = channel.isOpen() ? Flight.overflowBegan() : null;
        int limit = bounded.writeLimitBytes();
        WriteOverflow policy = bounded.writeOverflow();
        try {
            return refuse(channel, bounded, policy, limit, waitingBytes, newBytes, tryAgain);
        } finally {
            if (recorded != null) {
                Flight.overflowEnded(recorded, channel, policy, waitingBytes, limit);
            }
        }
    }

    private static Exception refuse(
            Channel channel,
            BoundedChannel bounded,
            WriteOverflow policy,
            int limit,
            long waitingBytes,
            long newBytes,
            BooleanSupplier tryAgain) {
        if (policy == WriteOverflow.FAIL && channel.isOpen()) {
            return new WriteOverflowException(
                    "the write is refused: " + explanation(limit, waitingBytes, newBytes), waitingBytes, limit);
        }
        if (policy == WriteOverflow.BLOCK && !bounded.isOnIoThread() && awaitRoom(channel, tryAgain)) {
            return null;
        }
        if (channel.isOpen()) {
            bounded.giveUp(CloseReason.of(CloseReason.Kind.OVERFLOW, explanation(limit, waitingBytes, newBytes)));
        }
        return ChannelClosedException.of(channel);
    }

    private static String explanation(int limit, long waitingBytes, long newBytes) {
        return waitingBytes + " bytes wait and " + newBytes + " more exceed writeBufferLimit (" + limit
                + "): the peer reads too slowly; write only while isWritable(), or set a higher limit";
    }

    /** Returns false if the channel has closed instead. An interrupt is kept for the caller. */
    private static boolean awaitRoom(Channel channel, BooleanSupplier tryAgain) {
        boolean isInterrupted = false;
        boolean hasRoom = false;
        while (!hasRoom && channel.isOpen()) {
            hasRoom = CongestedChannels.park(channel, LOOK_NANOS, tryAgain);
            isInterrupted |= Thread.interrupted();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return hasRoom;
    }
}
