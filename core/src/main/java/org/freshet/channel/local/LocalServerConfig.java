package org.freshet.channel.local;

import java.util.Map;
import org.freshet.channel.DefaultServerChannelConfig;
import org.freshet.internal.options.ChildOptions;
import org.freshet.internal.transport.WaterMarks;

/** The settings of a server. Any thread. */
final class LocalServerConfig extends DefaultServerChannelConfig implements ChildOptions {
    @Override
    public void checkChildOptions(Map<String, Object> options) {
        LocalConfig.OPTIONS.check(LocalConfig.class, options);
        WaterMarks.DEFAULT.check(options);
    }
}
