package org.freshet.channel.socket.nio;

import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import org.freshet.channel.socket.DefaultServerSocketChannelConfig;
import org.freshet.internal.options.ChildOptions;

/** The settings of a listening NIO channel. Any thread may read and write them. */
final class NioServerSocketConfig extends DefaultServerSocketChannelConfig implements ChildOptions {
    NioServerSocketConfig(ServerSocketChannel channel) {
        super(channel);
    }

    @Override
    public void checkChildOptions(Map<String, Object> options) {
        NioOptions.SOCKET.check(NioSocketConfig.class, options);
        WriteLimits.DEFAULT.checkMarks(options);
    }
}
