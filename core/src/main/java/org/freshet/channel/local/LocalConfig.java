package org.freshet.channel.local;

import java.util.Map;
import org.freshet.channel.ChannelOption;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.transport.WaterMarkedConfig;

/** The settings of one end: those of every channel, the water marks, and what the end of input does. Any thread. */
final class LocalConfig extends WaterMarkedConfig {
    static final OptionTable<LocalConfig> OPTIONS = OptionTable.<LocalConfig>of(WaterMarkedConfig.class)
            .with(
                    ChannelOption.ALLOW_HALF_CLOSURE.key(),
                    ChannelOption.ALLOW_HALF_CLOSURE::convert,
                    LocalConfig::isAllowHalfClosure,
                    (config, isAllowed) -> config.isAllowHalfClosure = isAllowed)
            .ownedBy(LocalConfig.class);

    private volatile boolean isAllowHalfClosure;

    boolean isAllowHalfClosure() {
        return isAllowHalfClosure;
    }

    @Override
    public boolean setOption(String key, Object value) {
        return OPTIONS.set(this, key, value);
    }

    @Override
    public <T> T getOption(ChannelOption<T> option) {
        return OPTIONS.get(this, option.key(), option.type());
    }

    @Override
    public Map<String, Object> getOptions() {
        return OPTIONS.values(this);
    }
}
