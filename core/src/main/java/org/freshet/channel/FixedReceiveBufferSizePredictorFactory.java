package org.freshet.channel;

/** Gives all channels the same {@link FixedReceiveBufferSizePredictor}. */
public class FixedReceiveBufferSizePredictorFactory implements ReceiveBufferSizePredictorFactory {
    private final ReceiveBufferSizePredictor shared;

    /**
     * Creates a factory of one size.
     *
     * @param bufferSize in bytes, positive
     */
    public FixedReceiveBufferSizePredictorFactory(int bufferSize) {
        shared = new FixedReceiveBufferSizePredictor(bufferSize);
    }

    @Override
    public ReceiveBufferSizePredictor getPredictor() throws Exception {
        return shared;
    }
}
