package org.freshet.channel.socket;

import java.net.InetSocketAddress;
import org.freshet.channel.ServerChannel;

/** A listening TCP socket. The connections it accepts are {@link SocketChannel}s with this channel as their parent. */
public interface ServerSocketChannel extends ServerChannel {
    @Override
    ServerSocketChannelConfig getConfig();

    @Override
    InetSocketAddress getLocalAddress();

    /** Always null: a server channel has no peer. */
    @Override
    InetSocketAddress getRemoteAddress();
}
