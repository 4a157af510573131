package org.freshet.channel;

/** Supplies a {@link ReceiveBufferSizePredictor} for each new channel. Called on any thread. */
public interface ReceiveBufferSizePredictorFactory {
    /** Returns a predictor for one channel. Only a stateless one may be returned for several channels. */
    ReceiveBufferSizePredictor getPredictor() throws Exception;
}
