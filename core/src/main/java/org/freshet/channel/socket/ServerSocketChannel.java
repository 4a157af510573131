package org.freshet.channel.socket;

import java.net.InetSocketAddress;
import org.freshet.channel.ServerChannel;

public interface ServerSocketChannel extends ServerChannel {
    ServerSocketChannelConfig getConfig();

    InetSocketAddress getLocalAddress();

    InetSocketAddress getRemoteAddress();
}
