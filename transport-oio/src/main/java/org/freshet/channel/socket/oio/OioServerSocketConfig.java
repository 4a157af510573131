package org.freshet.channel.socket.oio;

import java.net.ServerSocket;
import java.util.Map;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.socket.DefaultServerSocketChannelConfig;
import org.freshet.channel.socket.DefaultSocketChannelConfig;
import org.freshet.internal.options.ChildOptions;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.transport.ServerLimits;

/** The settings of a listening blocking socket. Any thread. */
final class OioServerSocketConfig extends DefaultServerSocketChannelConfig
        implements ChildOptions, ServerLimits.Config {
    private static final OptionTable<OioServerSocketConfig> OPTIONS = ServerLimits.options(
                    OptionTable.<OioServerSocketConfig>of(DefaultServerSocketChannelConfig.class))
            .accepting()
            .ownedBy(OioServerSocketConfig.class);

    private static final OptionTable<DefaultSocketChannelConfig> CHILD =
            OptionTable.of(DefaultSocketChannelConfig.class);

    private final ServerLimits limits = new ServerLimits();

    OioServerSocketConfig(ServerSocket socket) {
        super(socket);
    }

    @Override
    public ServerLimits limits() {
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
        CHILD.check(DefaultSocketChannelConfig.class, options);
    }
}
