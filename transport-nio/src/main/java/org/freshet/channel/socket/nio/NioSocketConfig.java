package org.freshet.channel.socket.nio;

import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.UnaryOperator;
import org.freshet.channel.AdaptiveReceiveBufferSizePredictorFactory;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.ReceiveBufferSizePredictorFactory;
import org.freshet.channel.socket.DefaultSocketChannelConfig;
import org.freshet.internal.OptionTable;
import org.freshet.internal.PredictorSetting;

/**
 * The settings of a TCP connection over a NIO channel. Any thread may read and write them.
 *
 * <p>One per connection: what nobody set is a reference to a shared default, or null.
 */
final class NioSocketConfig extends DefaultSocketChannelConfig implements NioSocketChannelConfig, WriteLimited {
    private static final OptionTable<NioSocketChannelConfig> OPTIONS = NioOptions.SOCKET.ownedBy(NioSocketConfig.class);
    private static final ReceiveBufferSizePredictorFactory DEFAULT_PREDICTOR_FACTORY =
            new AdaptiveReceiveBufferSizePredictorFactory();
    private static final AtomicReferenceFieldUpdater<NioSocketConfig, WriteLimits> WRITE_LIMITS =
            AtomicReferenceFieldUpdater.newUpdater(NioSocketConfig.class, WriteLimits.class, "writeLimits");
    private static final AtomicReferenceFieldUpdater<NioSocketConfig, PredictorSetting> PREDICTOR_SETTING =
            AtomicReferenceFieldUpdater.newUpdater(NioSocketConfig.class, PredictorSetting.class, "predictorSetting");

    private volatile WriteLimits writeLimits = WriteLimits.DEFAULT;
    /** Null until a predictor or its factory is set or asked for. */
    private volatile PredictorSetting predictorSetting;

    NioSocketConfig(SocketChannel channel) {
        super(channel);
    }

    @Override
    public void setOptions(Map<String, Object> options) {
        super.setOptions(WriteLimits.inSafeOrder(options, writeLimits));
    }

    @Override
    public boolean setOption(String key, Object value) {
        return OPTIONS.set(this, key, value);
    }

    @Override
    public <T> T getOption(ChannelOption<T> option) {
        return OPTIONS.get(this, option);
    }

    @Override
    public Map<String, Object> getOptions() {
        return OPTIONS.values(this);
    }

    @Override
    public WriteLimits writeLimits() {
        return writeLimits;
    }

    @Override
    public void changeWriteLimits(UnaryOperator<WriteLimits> change) {
        WRITE_LIMITS.updateAndGet(this, change);
    }

    @Override
    public ReceiveBufferSizePredictor getReceiveBufferSizePredictor() {
        return predictorSetting().predictor();
    }

    @Override
    public void setReceiveBufferSizePredictor(ReceiveBufferSizePredictor predictor) {
        predictorSetting().setPredictor(predictor);
    }

    @Override
    public ReceiveBufferSizePredictorFactory getReceiveBufferSizePredictorFactory() {
        PredictorSetting setting = predictorSetting;
        return setting == null ? DEFAULT_PREDICTOR_FACTORY : setting.factory();
    }

    @Override
    public void setReceiveBufferSizePredictorFactory(ReceiveBufferSizePredictorFactory predictorFactory) {
        predictorSetting().setFactory(predictorFactory);
    }

    /** The predictor when the user set one, or a factory to make one; null when sizing is left to the loop. */
    ReceiveBufferSizePredictor explicitReceiveBufferSizePredictor() {
        PredictorSetting setting = predictorSetting;
        return setting == null ? null : setting.explicitPredictor();
    }

    private PredictorSetting predictorSetting() {
        PredictorSetting setting = predictorSetting;
        if (setting != null) {
            return setting;
        }
        PREDICTOR_SETTING.compareAndSet(this, null, new PredictorSetting(DEFAULT_PREDICTOR_FACTORY));
        return predictorSetting;
    }
}
