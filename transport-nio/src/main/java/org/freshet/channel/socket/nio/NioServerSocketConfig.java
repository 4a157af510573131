package org.freshet.channel.socket.nio;

import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import org.freshet.channel.socket.DefaultServerSocketChannelConfig;
import org.freshet.internal.options.ChildOptions;
import org.freshet.internal.transport.WaterMarks;

/** The settings of a listening NIO channel. Any thread may read and write them. */
final class NioServerSocketConfig extends DefaultServerSocketChannelConfig implements ChildOptions {
    NioServerSocketConfig(ServerSocketChannel channel) {
        super(channel);
    }

    @Override
    public void checkChildOptions(Map<String, Object> options) {
        NioOptions.SOCKET.check(NioSocketConfig.class, options);
        WaterMarks.DEFAULT.check(options);
    }
}
