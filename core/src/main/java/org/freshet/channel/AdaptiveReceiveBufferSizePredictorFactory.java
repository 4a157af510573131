package org.freshet.channel;

/** Gives each channel an {@link AdaptiveReceiveBufferSizePredictor} with the same bounds. */
public class AdaptiveReceiveBufferSizePredictorFactory implements ReceiveBufferSizePredictorFactory {
    private final int minimum;
    private final int initial;
    private final int maximum;

    /** Predictors of 64 to 65536 bytes, and 1024 at first. */
    public AdaptiveReceiveBufferSizePredictorFactory() {
        this(
                AdaptiveReceiveBufferSizePredictor.DEFAULT_MINIMUM,
                AdaptiveReceiveBufferSizePredictor.DEFAULT_INITIAL,
                AdaptiveReceiveBufferSizePredictor.DEFAULT_MAXIMUM);
    }

    /**
     * Makes a factory with bounds.
     *
     * @param minimum the lowest prediction in bytes, positive
     * @param initial the first one
     * @param maximum the highest one
     */
    public AdaptiveReceiveBufferSizePredictorFactory(int minimum, int initial, int maximum) {
        AdaptiveReceiveBufferSizePredictor.check(minimum, initial, maximum);
        this.minimum = minimum;
        this.initial = initial;
        this.maximum = maximum;
    }

    @Override
    public ReceiveBufferSizePredictor getPredictor() throws Exception {
        return new AdaptiveReceiveBufferSizePredictor(minimum, initial, maximum);
    }
}
