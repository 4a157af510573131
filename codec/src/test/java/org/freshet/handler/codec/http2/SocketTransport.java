package org.freshet.handler.codec.http2;

import java.util.function.Supplier;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;

/** The transports over real sockets, for both sides of a test. */
enum SocketTransport {
    NIO(NioServerSocketChannelFactory::new, NioClientSocketChannelFactory::new),
    OIO(OioServerSocketChannelFactory::new, OioClientSocketChannelFactory::new);

    private final Supplier<ChannelFactory> server;
    private final Supplier<ChannelFactory> client;

    SocketTransport(Supplier<ChannelFactory> server, Supplier<ChannelFactory> client) {
        this.server = server;
        this.client = client;
    }

    /** The caller releases the factory's resources. */
    ServerBootstrap newServer() {
        return new ServerBootstrap(server.get());
    }

    /** The caller releases the factory's resources. */
    ClientBootstrap newClient() {
        return new ClientBootstrap(client.get());
    }
}
