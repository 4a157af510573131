package org.freshet.channel.socket.nio;

import org.freshet.channel.ChannelOption;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.ReceiveBufferSizePredictorFactory;
import org.freshet.channel.socket.SocketChannelConfig;

/** The settings of a TCP connection of the NIO transport. */
public interface NioSocketChannelConfig extends SocketChannelConfig, NioChannelConfig {
    /** The predictor of how much to read at once; made by the factory when first asked for. */
    ReceiveBufferSizePredictor getReceiveBufferSizePredictor();

    /**
     * Sets the predictor, which wins over the factory.
     *
     * @param predictor not null, see {@link ChannelOption#RECEIVE_BUFFER_SIZE_PREDICTOR}
     */
    void setReceiveBufferSizePredictor(ReceiveBufferSizePredictor predictor);

    ReceiveBufferSizePredictorFactory getReceiveBufferSizePredictorFactory();

    /**
     * Sets what makes the predictor, and drops one that an earlier factory made.
     *
     * @param predictorFactory not null, see {@link ChannelOption#RECEIVE_BUFFER_SIZE_PREDICTOR_FACTORY}
     */
    void setReceiveBufferSizePredictorFactory(ReceiveBufferSizePredictorFactory predictorFactory);

    /** Whether the channel stays open at the end of the peer's output. */
    boolean isAllowHalfClosure();

    /**
     * Decides what happens at the end of the peer's output.
     *
     * @param isAllowed see {@link ChannelOption#ALLOW_HALF_CLOSURE}
     */
    void setAllowHalfClosure(boolean isAllowed);

    int getWriteStallTimeoutMillis();

    /**
     * Sets for how long the peer may take nothing while bytes wait.
     *
     * @param writeStallTimeoutMillis see {@link ChannelOption#WRITE_STALL_TIMEOUT_MILLIS}
     */
    void setWriteStallTimeoutMillis(int writeStallTimeoutMillis);
}
