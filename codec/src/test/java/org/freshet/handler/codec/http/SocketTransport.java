package org.freshet.handler.codec.http;

import java.util.function.Supplier;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.testing.Rig;

/** The transport for a test over real sockets. */
public enum SocketTransport {
    NIO(NioServerSocketChannelFactory::new, NioClientSocketChannelFactory::new),
    OIO(OioServerSocketChannelFactory::new, OioClientSocketChannelFactory::new);

    private final Supplier<ChannelFactory> server;
    private final Supplier<ChannelFactory> client;

    SocketTransport(Supplier<ChannelFactory> server, Supplier<ChannelFactory> client) {
        this.server = server;
        this.client = client;
    }

    public Rig newRig() {
        return new Rig(server.get(), client.get());
    }
}
