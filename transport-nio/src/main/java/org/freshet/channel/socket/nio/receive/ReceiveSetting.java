package org.freshet.channel.socket.nio.receive;

import org.freshet.channel.ChannelException;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.ReceiveBufferSizePredictorFactory;
import org.freshet.internal.options.PredictorSetting;

/** The receive options set on a connection. A connection without any has no instance. Any thread may call it. */
public final class ReceiveSetting {
    private final PredictorSetting<ReceiveBufferSizePredictor, ReceiveBufferSizePredictorFactory> predictors;

    private volatile boolean isAllowHalfClosure;

    public ReceiveSetting(ReceiveBufferSizePredictorFactory defaultFactory) {
        predictors = new PredictorSetting<>(
                defaultFactory, ReceiveBufferSizePredictorFactory::getPredictor, ChannelException::new);
    }

    public PredictorSetting<ReceiveBufferSizePredictor, ReceiveBufferSizePredictorFactory> predictors() {
        return predictors;
    }

    public boolean isAllowHalfClosure() {
        return isAllowHalfClosure;
    }

    public void allowHalfClosure(boolean isAllowed) {
        isAllowHalfClosure = isAllowed;
    }
}
