package org.freshet.channel.socket.nio;

import java.nio.channels.ServerSocketChannel;
import org.freshet.channel.socket.DefaultServerSocketChannelConfig;

/** The settings of a listening NIO channel. Any thread may read and write them. */
final class NioServerSocketConfig extends DefaultServerSocketChannelConfig {
    NioServerSocketConfig(ServerSocketChannel channel) {
        super(channel);
    }
}
