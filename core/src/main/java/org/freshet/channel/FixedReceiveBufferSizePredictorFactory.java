package org.freshet.channel;

/** Gives all channels one {@link FixedReceiveBufferSizePredictor}. */
public class FixedReceiveBufferSizePredictorFactory implements ReceiveBufferSizePredictorFactory {
    private final ReceiveBufferSizePredictor shared;

    /**
     * Makes a factory of one size.
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
