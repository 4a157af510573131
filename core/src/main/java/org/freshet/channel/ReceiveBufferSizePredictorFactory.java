package org.freshet.channel;

/** Gives each new channel its {@link ReceiveBufferSizePredictor}. Called by any thread. */
public interface ReceiveBufferSizePredictorFactory {
    /** A predictor for one channel; only one without state may be given to several. */
    ReceiveBufferSizePredictor getPredictor() throws Exception;
}
