package org.freshet.channel.socket;

import java.net.InetSocketAddress;
import org.freshet.channel.ServerChannel;

/** A listening TCP socket; the connections it accepts are {@link SocketChannel}s whose parent it is. */
public interface ServerSocketChannel extends ServerChannel {
    @Override
    ServerSocketChannelConfig getConfig();

    @Override
    InetSocketAddress getLocalAddress();

    /** Always null: a server channel has no peer. */
    @Override
    InetSocketAddress getRemoteAddress();
}
