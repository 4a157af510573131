package org.freshet.channel;

/**
 * Estimates the size of a channel's next read, so that the space provided is neither too small (more reads) nor too large. Each channel has
 * its own; only its I/O thread calls it.
 */
public interface ReceiveBufferSizePredictor {
    /** The space in bytes to provide for the next read, positive. Does not change the prediction. */
    int nextReceiveBufferSize();

    /**
     * Reports the size of a read.
     *
     * @param previousReceiveBufferSize bytes read, not negative
     */
    void previousReceiveBufferSize(int previousReceiveBufferSize);
}
