package org.freshet.channel.local;

import java.util.Map;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.DefaultServerChannelConfig;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.options.ChildOptions;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.write.WaterMarks;

/** The settings of a server. Any thread. */
final class LocalServerConfig extends DefaultServerChannelConfig implements ChildOptions, AcceptLimits.Owner {
    private static final OptionTable<LocalServerConfig> OPTIONS = AcceptLimits.options(
                    OptionTable.<LocalServerConfig>of(DefaultServerChannelConfig.class))
            .accepting()
            .ownedBy(LocalServerConfig.class);

    private final AcceptLimits limits = new AcceptLimits();

    @Override
    public AcceptLimits limits() {
        return limits;
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

    @Override
    public void checkChildOptions(Map<String, Object> options) {
        LocalConfig.OPTIONS.check(LocalConfig.class, options);
        WaterMarks.DEFAULT.check(options);
    }
}
