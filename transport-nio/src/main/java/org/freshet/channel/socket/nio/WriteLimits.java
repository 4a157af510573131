package org.freshet.channel.socket.nio;

import static org.freshet.channel.ChannelOption.WRITE_BUFFER_HIGH_WATER_MARK;
import static org.freshet.channel.ChannelOption.WRITE_BUFFER_LOW_WATER_MARK;

import java.util.LinkedHashMap;
import java.util.Map;
import org.freshet.channel.ChannelOption;

/**
 * How a channel may write. Immutable, and shared by all channels whose defaults nobody changed, so that it costs a connection one
 * reference and the loop sees a consistent pair of marks.
 *
 * @param highWaterMark above this many waiting bytes the channel is not writable
 * @param lowWaterMark at this many waiting bytes or fewer it is writable again
 * @param spinCount writes in a row before others have their turn
 * @param coalescing whether small writes are joined
 */
record WriteLimits(int highWaterMark, int lowWaterMark, int spinCount, boolean coalescing) {
    static final WriteLimits DEFAULT = new WriteLimits(64 * 1024, 32 * 1024, 16, true);

    /**
     * Options in an order in which neither water mark passes the other on the way.
     *
     * @param current what the options will be applied to
     * @throws IllegalArgumentException when both marks are given and the low one is above the high one
     */
    static Map<String, Object> inSafeOrder(Map<String, Object> options, WriteLimits current) {
        String highKey = WRITE_BUFFER_HIGH_WATER_MARK.key();
        String lowKey = WRITE_BUFFER_LOW_WATER_MARK.key();
        if (!options.containsKey(highKey) || !options.containsKey(lowKey)) {
            return options;
        }
        int high = WRITE_BUFFER_HIGH_WATER_MARK.convert(options.get(highKey));
        int low = WRITE_BUFFER_LOW_WATER_MARK.convert(options.get(lowKey));
        requireOrdered(high, low);
        boolean highFirst = high >= current.lowWaterMark;
        Map<String, Object> ordered = new LinkedHashMap<>(options);
        String last = highFirst ? lowKey : highKey;
        ordered.remove(last);
        ordered.put(last, highFirst ? low : high);
        return ordered;
    }

    /** Refuses options that would leave the low mark above the high mark of a channel with these limits. */
    void checkMarks(Map<String, Object> options) {
        Object high = options.get(WRITE_BUFFER_HIGH_WATER_MARK.key());
        Object low = options.get(WRITE_BUFFER_LOW_WATER_MARK.key());
        requireOrdered(
                high == null ? highWaterMark : WRITE_BUFFER_HIGH_WATER_MARK.convert(high),
                low == null ? lowWaterMark : WRITE_BUFFER_LOW_WATER_MARK.convert(low));
    }

    WriteLimits withHighWaterMark(int bytes) {
        requireOrdered(WRITE_BUFFER_HIGH_WATER_MARK.convert(bytes), lowWaterMark);
        return new WriteLimits(bytes, lowWaterMark, spinCount, coalescing);
    }

    WriteLimits withLowWaterMark(int bytes) {
        requireOrdered(highWaterMark, WRITE_BUFFER_LOW_WATER_MARK.convert(bytes));
        return new WriteLimits(highWaterMark, bytes, spinCount, coalescing);
    }

    WriteLimits withSpinCount(int times) {
        return new WriteLimits(highWaterMark, lowWaterMark, ChannelOption.WRITE_SPIN_COUNT.convert(times), coalescing);
    }

    WriteLimits withCoalescing(boolean joined) {
        return new WriteLimits(highWaterMark, lowWaterMark, spinCount, joined);
    }

    private static void requireOrdered(int high, int low) {
        if (high < low) {
            throw new IllegalArgumentException(
                    "writeBufferHighWaterMark < writeBufferLowWaterMark: " + high + " < " + low);
        }
    }
}
