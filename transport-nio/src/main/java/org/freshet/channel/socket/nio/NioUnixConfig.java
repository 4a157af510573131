package org.freshet.channel.socket.nio;

import java.nio.channels.SocketChannel;

/**
 * The settings of a connection over a Unix domain socket: those of a TCP connection that apply to such a socket. TCP
 * and IP options are unknown here; their setters throw a {@link org.freshet.channel.ChannelException}. Any thread may
 * read and write them.
 */
final class NioUnixConfig extends NioSocketConfig {
    static {
        NioOptions.UNIX.ownedBy(NioUnixConfig.class);
    }

    NioUnixConfig(SocketChannel channel) {
        super(channel);
    }
}
