package org.freshet.channel.socket.nio.send;

import static org.freshet.channel.ChannelOption.WRITE_BUFFER_HIGH_WATER_MARK;
import static org.freshet.channel.ChannelOption.WRITE_BUFFER_LOW_WATER_MARK;

import org.freshet.channel.ChannelOption;
import org.freshet.internal.write.WaterMarks;
import org.freshet.internal.write.WriteBound;

/**
 * How a channel may write. Immutable. Channels with unchanged defaults share one instance, so it costs a connection one
 * reference and the loop sees a consistent pair of marks.
 *
 * @param highWaterMark above this many waiting bytes the channel is not writable
 * @param lowWaterMark at this many waiting bytes or fewer it is writable again
 * @param spinCount writes in a row before other channels are served
 * @param coalescing whether small writes are combined
 * @param bound the maximum number of bytes that may wait, and for how long
 */
public record WriteLimits(int highWaterMark, int lowWaterMark, int spinCount, boolean coalescing, WriteBound bound) {
    public static final WriteLimits DEFAULT =
            new WriteLimits(WaterMarks.DEFAULT.high(), WaterMarks.DEFAULT.low(), 16, true, WriteBound.NONE);

    public WriteLimits withHighWaterMark(int bytes) {
        WaterMarks.requireOrdered(WRITE_BUFFER_HIGH_WATER_MARK.convert(bytes), lowWaterMark);
        return new WriteLimits(bytes, lowWaterMark, spinCount, coalescing, bound);
    }

    public WriteLimits withLowWaterMark(int bytes) {
        WaterMarks.requireOrdered(highWaterMark, WRITE_BUFFER_LOW_WATER_MARK.convert(bytes));
        return new WriteLimits(highWaterMark, bytes, spinCount, coalescing, bound);
    }

    public WriteLimits withSpinCount(int times) {
        return new WriteLimits(
                highWaterMark, lowWaterMark, ChannelOption.WRITE_SPIN_COUNT.convert(times), coalescing, bound);
    }

    public WriteLimits withCoalescing(boolean joined) {
        return new WriteLimits(highWaterMark, lowWaterMark, spinCount, joined, bound);
    }

    public WriteLimits withBound(WriteBound changed) {
        return new WriteLimits(highWaterMark, lowWaterMark, spinCount, coalescing, changed);
    }
}
