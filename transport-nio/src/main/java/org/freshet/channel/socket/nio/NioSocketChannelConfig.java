package org.freshet.channel.socket.nio;

import org.freshet.channel.ChannelOption;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.ReceiveBufferSizePredictorFactory;
import org.freshet.channel.socket.SocketChannelConfig;

/** The settings of a TCP connection of the NIO transport. */
public interface NioSocketChannelConfig extends SocketChannelConfig, NioChannelConfig {
    /** Returns the predictor of how much to read in one call. The factory makes it when it is first needed. */
    ReceiveBufferSizePredictor getReceiveBufferSizePredictor();

    /**
     * Sets the predictor. It takes precedence over the factory.
     *
     * @param predictor not null, see {@link ChannelOption#RECEIVE_BUFFER_SIZE_PREDICTOR}
     */
    void setReceiveBufferSizePredictor(ReceiveBufferSizePredictor predictor);

    ReceiveBufferSizePredictorFactory getReceiveBufferSizePredictorFactory();

    /**
     * Sets the factory of the predictor, and drops a predictor made by an earlier factory.
     *
     * @param predictorFactory not null, see {@link ChannelOption#RECEIVE_BUFFER_SIZE_PREDICTOR_FACTORY}
     */
    void setReceiveBufferSizePredictorFactory(ReceiveBufferSizePredictorFactory predictorFactory);

    /** Returns whether the channel stays open at the end of the peer's output. */
    boolean isAllowHalfClosure();

    /**
     * Sets whether the channel stays open at the end of the peer's output.
     *
     * @param isAllowed see {@link ChannelOption#ALLOW_HALF_CLOSURE}
     */
    void setAllowHalfClosure(boolean isAllowed);

    int getWriteStallTimeoutMillis();

    /**
     * Sets how long the peer may accept nothing while bytes are waiting.
     *
     * @param writeStallTimeoutMillis see {@link ChannelOption#WRITE_STALL_TIMEOUT_MILLIS}
     */
    void setWriteStallTimeoutMillis(int writeStallTimeoutMillis);
}
