package org.freshet.channel;

/** Always predicts the same size. Immutable, so any number of channels may share one. */
public class FixedReceiveBufferSizePredictor implements ReceiveBufferSizePredictor {
    private final int bufferSize;

    /**
     * Creates a predictor of one size.
     *
     * @param bufferSize in bytes, positive
     */
    public FixedReceiveBufferSizePredictor(int bufferSize) {
        if (bufferSize <= 0) {
            throw new IllegalArgumentException("bufferSize <= 0: " + bufferSize);
        }
        this.bufferSize = bufferSize;
    }

    @Override
    public int nextReceiveBufferSize() {
        return bufferSize;
    }

    @Override
    public void previousReceiveBufferSize(int previousReceiveBufferSize) {
        // A fixed prediction ignores the sizes of reads.
    }
}
