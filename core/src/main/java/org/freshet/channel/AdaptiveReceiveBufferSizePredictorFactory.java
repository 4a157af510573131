package org.freshet.channel;

/** Creates an {@link AdaptiveReceiveBufferSizePredictor} for each channel, all with the same bounds. */
public class AdaptiveReceiveBufferSizePredictorFactory implements ReceiveBufferSizePredictorFactory {
    private final int minimum;
    private final int initial;
    private final int maximum;

    /** Creates predictors for 64 to 65,536 bytes, starting at 1,024. */
    public AdaptiveReceiveBufferSizePredictorFactory() {
        this(
                AdaptiveReceiveBufferSizePredictor.DEFAULT_MINIMUM,
                AdaptiveReceiveBufferSizePredictor.DEFAULT_INITIAL,
                AdaptiveReceiveBufferSizePredictor.DEFAULT_MAXIMUM);
    }

    /**
     * Creates a factory with bounds.
     *
     * @param minimum the lowest prediction in bytes, positive
     * @param initial the first prediction
     * @param maximum the highest prediction
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
