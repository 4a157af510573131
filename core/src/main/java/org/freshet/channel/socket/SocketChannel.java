package org.freshet.channel.socket;

import java.net.InetSocketAddress;
import org.freshet.channel.Channel;

public interface SocketChannel extends Channel {
    SocketChannelConfig getConfig();

    InetSocketAddress getLocalAddress();

    InetSocketAddress getRemoteAddress();
}
