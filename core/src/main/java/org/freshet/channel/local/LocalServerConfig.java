package org.freshet.channel.local;

import java.util.Map;
import org.freshet.channel.DefaultServerChannelConfig;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.options.ChildOptions;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.write.WaterMarks;

/** The settings of a server. Any thread may use it. */
final class LocalServerConfig extends DefaultServerChannelConfig implements ChildOptions, AcceptLimits.Owner {
    static {
        AcceptLimits.options(OptionTable.<LocalServerConfig>of(DefaultServerChannelConfig.class))
                .accepting()
                .ownedBy(LocalServerConfig.class);
    }

    private final AcceptLimits limits = new AcceptLimits();

    @Override
    public AcceptLimits limits() {
        return limits;
    }

    @Override
    public void checkChildOptions(Map<String, Object> options) {
        LocalConfig.OPTIONS.check(LocalConfig.class, options);
        WaterMarks.DEFAULT.check(options);
    }
}
