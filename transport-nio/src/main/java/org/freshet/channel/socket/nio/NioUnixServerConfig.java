package org.freshet.channel.socket.nio;

import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.DefaultServerChannelConfig;
import org.freshet.channel.socket.ServerSocketChannelConfig;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.write.WaterMarks;

/**
 * The settings of a listening Unix domain socket; {@link NioUnixConfig} has those of its connections. Any thread may
 * call it.
 */
final class NioUnixServerConfig extends NioServerSocketConfig {
    static {
        AcceptLimits.options(OptionTable.<NioUnixServerConfig>of(DefaultServerChannelConfig.class)
                        .with(
                                ChannelOption.BACKLOG,
                                ServerSocketChannelConfig::getBacklog,
                                ServerSocketChannelConfig::setBacklog)
                        .with(
                                ChannelOption.RECEIVE_BUFFER_SIZE,
                                ServerSocketChannelConfig::getReceiveBufferSize,
                                ServerSocketChannelConfig::setReceiveBufferSize))
                .accepting()
                .ownedBy(NioUnixServerConfig.class);
    }

    NioUnixServerConfig(ServerSocketChannel channel) {
        super(channel);
    }

    @Override
    public void checkChildOptions(Map<String, Object> options) {
        NioOptions.UNIX.check(NioUnixConfig.class, options);
        WaterMarks.DEFAULT.check(options);
    }
}
