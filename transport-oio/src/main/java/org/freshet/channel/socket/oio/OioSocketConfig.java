package org.freshet.channel.socket.oio;

import java.net.Socket;
import java.util.Map;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.socket.DefaultSocketChannelConfig;
import org.freshet.internal.options.OptionTable;

/** The settings of a connection: those of the socket, and what the end of input does. Any thread. */
final class OioSocketConfig extends DefaultSocketChannelConfig {
    private static final OptionTable<OioSocketConfig> OPTIONS = OptionTable.<OioSocketConfig>of(
                    DefaultSocketChannelConfig.class)
            .with(
                    ChannelOption.ALLOW_HALF_CLOSURE.key(),
                    ChannelOption.ALLOW_HALF_CLOSURE::convert,
                    OioSocketConfig::isAllowHalfClosure,
                    (config, isAllowed) -> config.isAllowHalfClosure = isAllowed)
            .ownedBy(OioSocketConfig.class);

    private volatile boolean isAllowHalfClosure;

    OioSocketConfig(Socket socket) {
        super(socket);
    }

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
