package org.freshet.channel.socket.oio;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;
import org.freshet.testing.Await;

/** A server and clients of chosen transports on the loopback interface, which all end with {@link #close()}. */
final class Rig implements AutoCloseable {
    final ServerBootstrap server;
    final ClientBootstrap client;

    Rig(Transport serverTransport, Transport clientTransport) {
        server = new ServerBootstrap(serverTransport.server());
        client = new ClientBootstrap(clientTransport.client());
    }

    Rig(Transport transport) {
        this(transport, transport);
    }

    /** Binds a free port; each connection gets handlers of its own. */
    Channel listen(Supplier<ChannelHandler[]> handlers) {
        server.setPipelineFactory(() -> Channels.pipeline(handlers.get()));
        return server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    Channel listen(ChannelHandler sharable) {
        return listen(() -> new ChannelHandler[] {sharable});
    }

    Channel connect(SocketAddress address, ChannelHandler... handlers) {
        return Await.success(connecting(address, handlers), "the connection").getChannel();
    }

    ChannelFuture connecting(SocketAddress address, ChannelHandler... handlers) {
        client.setPipelineFactory(() -> Channels.pipeline(handlers));
        return client.connect(address);
    }

    @Override
    public void close() {
        client.releaseExternalResources();
        server.releaseExternalResources();
    }
}
