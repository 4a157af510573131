package org.freshet.internal.write;

import static org.freshet.channel.ChannelOption.WRITE_BUFFER_HIGH_WATER_MARK;
import static org.freshet.channel.ChannelOption.WRITE_BUFFER_LOW_WATER_MARK;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Determines when a channel is writable. Immutable.
 *
 * @param high above this many pending bytes the channel is not writable
 * @param low at or below this many pending bytes it is writable again; at most {@code high}
 */
public record WaterMarks(int high, int low) {
    public static final WaterMarks DEFAULT = new WaterMarks(64 * 1024, 32 * 1024);

    public WaterMarks {
        requireOrdered(high, low);
    }

    public WaterMarks withHigh(int bytes) {
        return new WaterMarks(WRITE_BUFFER_HIGH_WATER_MARK.convert(bytes), low);
    }

    public WaterMarks withLow(int bytes) {
        return new WaterMarks(high, WRITE_BUFFER_LOW_WATER_MARK.convert(bytes));
    }

    /** Refuses options that would set the low mark above the high mark of a channel with these marks. */
    public void check(Map<String, Object> options) {
        Object newHigh = options.get(WRITE_BUFFER_HIGH_WATER_MARK.key());
        Object newLow = options.get(WRITE_BUFFER_LOW_WATER_MARK.key());
        requireOrdered(
                newHigh == null ? high : WRITE_BUFFER_HIGH_WATER_MARK.convert(newHigh),
                newLow == null ? low : WRITE_BUFFER_LOW_WATER_MARK.convert(newLow));
    }

    /**
     * Returns the options in an order in which the low mark never exceeds the high one while they are set one by one.
     *
     * @param currentLow the low mark of the config that the options are for
     * @throws IllegalArgumentException if both marks are given and the low one is above the high one
     */
    public static Map<String, Object> inSafeOrder(Map<String, Object> options, int currentLow) {
        String highKey = WRITE_BUFFER_HIGH_WATER_MARK.key();
        String lowKey = WRITE_BUFFER_LOW_WATER_MARK.key();
        if (!options.containsKey(highKey) || !options.containsKey(lowKey)) {
            return options;
        }
        int high = WRITE_BUFFER_HIGH_WATER_MARK.convert(options.get(highKey));
        int low = WRITE_BUFFER_LOW_WATER_MARK.convert(options.get(lowKey));
        requireOrdered(high, low);
        boolean highFirst = high >= currentLow;
        Map<String, Object> ordered = new LinkedHashMap<>(options);
        String last = highFirst ? lowKey : highKey;
        ordered.remove(last);
        ordered.put(last, highFirst ? low : high);
        return ordered;
    }

    public static void requireOrdered(int high, int low) {
        if (high < low) {
            throw new IllegalArgumentException(
                    "writeBufferHighWaterMark < writeBufferLowWaterMark: " + high + " < " + low);
        }
    }
}
