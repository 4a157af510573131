package org.freshet.handler.ssl;

import org.freshet.channel.socket.ClientSocketChannelFactory;
import org.freshet.channel.socket.ServerSocketChannelFactory;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;

/** The transport below TLS. */
enum Transport {
    NIO {
        @Override
        ServerSocketChannelFactory servers() {
            return new NioServerSocketChannelFactory();
        }

        @Override
        ClientSocketChannelFactory clients() {
            return new NioClientSocketChannelFactory();
        }
    },

    OIO {
        @Override
        ServerSocketChannelFactory servers() {
            return new OioServerSocketChannelFactory();
        }

        @Override
        ClientSocketChannelFactory clients() {
            return new OioClientSocketChannelFactory();
        }
    };

    abstract ServerSocketChannelFactory servers();

    abstract ClientSocketChannelFactory clients();
}
