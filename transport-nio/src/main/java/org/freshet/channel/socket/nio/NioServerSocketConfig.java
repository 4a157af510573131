package org.freshet.channel.socket.nio;

import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import org.freshet.channel.socket.DefaultServerSocketChannelConfig;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.options.ChildOptions;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.write.WaterMarks;

/** The settings of a listening NIO channel. Any thread may read and write them. */
class NioServerSocketConfig extends DefaultServerSocketChannelConfig implements ChildOptions, AcceptLimits.Owner {
    static {
        AcceptLimits.options(OptionTable.<NioServerSocketConfig>of(DefaultServerSocketChannelConfig.class))
                .accepting()
                .ownedBy(NioServerSocketConfig.class);
    }

    private final AcceptLimits limits = new AcceptLimits();

    NioServerSocketConfig(ServerSocketChannel channel) {
        super(channel);
    }

    @Override
    public AcceptLimits limits() {
        return limits;
    }

    @Override
    public void checkChildOptions(Map<String, Object> options) {
        NioOptions.SOCKET.check(NioSocketConfig.class, options);
        WaterMarks.DEFAULT.check(options);
    }
}
