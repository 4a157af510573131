package org.freshet.channel.local;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.freshet.channel.ChannelOption;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.write.WaterMarkedConfig;
import org.freshet.internal.write.WriteBound;

/** The settings of one end: those of every channel, water marks and limits, and half-closure. Any thread may use it. */
final class LocalConfig extends WaterMarkedConfig implements WriteBound.Config {
    static final OptionTable<LocalConfig> OPTIONS = WriteBound.stallOption(
                    WriteBound.limitOptions(OptionTable.<LocalConfig>of(WaterMarkedConfig.class)))
            .with(
                    ChannelOption.ALLOW_HALF_CLOSURE,
                    LocalConfig::isAllowHalfClosure,
                    (config, isAllowed) -> config.isAllowHalfClosure = isAllowed)
            .ownedBy(LocalConfig.class);

    private final AtomicReference<WriteBound> bound = new AtomicReference<>(WriteBound.NONE);

    private volatile boolean isAllowHalfClosure;

    @Override
    public WriteBound writeBound() {
        return bound.get();
    }

    @Override
    public void changeWriteBound(UnaryOperator<WriteBound> change) {
        bound.updateAndGet(change);
    }

    boolean isAllowHalfClosure() {
        return isAllowHalfClosure;
    }
}
