package org.freshet.handler.codec.http;

import java.util.function.Supplier;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.testing.Rig;

/** The transports over real sockets, for both sides of a test. */
public enum SocketTransport {
    NIO(NioServerSocketChannelFactory::new, NioClientSocketChannelFactory::new),
    OIO(OioServerSocketChannelFactory::new, OioClientSocketChannelFactory::new);

    private final Supplier<ChannelFactory> server;
    private final Supplier<ChannelFactory> client;

    SocketTransport(Supplier<ChannelFactory> server, Supplier<ChannelFactory> client) {
        this.server = server;
        this.client = client;
    }

    /** The caller releases the factory's resources. */
    public ServerBootstrap newServer() {
        return new ServerBootstrap(server.get());
    }

    /** The caller releases the factory's resources. */
    public ClientBootstrap newClient() {
        return new ClientBootstrap(client.get());
    }

    public Rig newRig() {
        return new Rig(server.get(), client.get());
    }
}
