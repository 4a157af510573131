package org.freshet.channel;

/**
 * Predicts the size of the next read from the previous ones. Only the channel's I/O thread may use it.
 *
 * <p>A read that filled the space doubles it immediately, because there was probably more to read. The space shrinks by one step only after
 * two small reads in a row: too much space for a while costs less than an extra read. The steps are the powers of two and the values
 * halfway between them. A read is small if it would have left room in the next step below, so the prediction stays the same while all reads
 * have the same size.
 */
public class AdaptiveReceiveBufferSizePredictor implements ReceiveBufferSizePredictor {
    static final int DEFAULT_MINIMUM = 64;
    static final int DEFAULT_INITIAL = 1024;
    static final int DEFAULT_MAXIMUM = 65536;

    /** All sizes are in bytes. */
    private final int minimum;

    private final int maximum;
    private int next;

    /** Whether the last read was small. */
    private boolean smallBefore;

    /** Creates a predictor for 64 to 65,536 bytes, starting at 1,024. */
    public AdaptiveReceiveBufferSizePredictor() {
        this(DEFAULT_MINIMUM, DEFAULT_INITIAL, DEFAULT_MAXIMUM);
    }

    /**
     * Creates a predictor with bounds.
     *
     * @param minimum the lowest prediction in bytes, positive
     * @param initial the first prediction
     * @param maximum the highest prediction
     */
    public AdaptiveReceiveBufferSizePredictor(int minimum, int initial, int maximum) {
        check(minimum, initial, maximum);
        this.minimum = minimum;
        this.maximum = maximum;
        next = initial;
    }

    static void check(int minimum, int initial, int maximum) {
        if (minimum <= 0) {
            throw new IllegalArgumentException("minimum <= 0: " + minimum);
        }
        if (initial < minimum) {
            throw new IllegalArgumentException("initial < minimum " + minimum + ": " + initial);
        }
        if (maximum < initial) {
            throw new IllegalArgumentException("maximum < initial " + initial + ": " + maximum);
        }
    }

    @Override
    public int nextReceiveBufferSize() {
        return next;
    }

    @Override
    public void previousReceiveBufferSize(int previousReceiveBufferSize) {
        if (previousReceiveBufferSize >= next) {
            next = next > maximum / 2 ? maximum : 2 * next;
            smallBefore = false;
            return;
        }
        int lower = Math.max(minimum, stepBelow(next));
        boolean small = previousReceiveBufferSize < lower;
        if (small && smallBefore) {
            next = lower;
        }
        smallBefore = small && !smallBefore;
    }

    /** The largest power of two, or sum of two neighbouring powers, below the size; 1 below 2. */
    private static int stepBelow(int size) {
        int power = Integer.highestOneBit(size - 1);
        int halfway = power + power / 2;
        return Math.max(1, halfway < size ? halfway : power);
    }
}
