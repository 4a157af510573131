package org.freshet.channel.socket;

import java.net.InetSocketAddress;
import org.freshet.channel.Channel;

/** A TCP connection, made by a client or accepted by a {@link ServerSocketChannel}. */
public interface SocketChannel extends Channel {
    @Override
    SocketChannelConfig getConfig();

    @Override
    InetSocketAddress getLocalAddress();

    @Override
    InetSocketAddress getRemoteAddress();
}
