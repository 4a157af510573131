package org.freshet.channel.socket;

import java.net.InetSocketAddress;
import org.freshet.channel.Channel;

/** A TCP connection: one that a client made, or one that a {@link ServerSocketChannel} accepted. */
public interface SocketChannel extends Channel {
    @Override
    SocketChannelConfig getConfig();

    @Override
    InetSocketAddress getLocalAddress();

    @Override
    InetSocketAddress getRemoteAddress();
}
