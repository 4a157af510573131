package org.freshet.channel;

/**
 * Guesses how many bytes the next read of a channel will bring, so that the space offered is neither too small (more
 * reads) nor too large. Each channel has its own; its I/O thread alone calls it.
 */
public interface ReceiveBufferSizePredictor {
    /** The space in bytes to offer to the next read, positive. Does not change the prediction. */
    int nextReceiveBufferSize();

    /**
     * Tells what a read brought.
     *
     * @param previousReceiveBufferSize bytes read, not negative
     */
    void previousReceiveBufferSize(int previousReceiveBufferSize);
}
