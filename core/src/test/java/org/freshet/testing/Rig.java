package org.freshet.testing;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;

/** A server and clients of chosen transports; {@link #close()} closes them all. */
public final class Rig implements AutoCloseable {
    private final ServerBootstrap server;
    private final ClientBootstrap client;

    public Rig(ChannelFactory serverFactory, ChannelFactory clientFactory) {
        server = new ServerBootstrap(serverFactory);
        client = new ClientBootstrap(clientFactory);
    }

    /** Sets options and parent handlers before a server is bound. */
    public ServerBootstrap server() {
        return server;
    }

    /** Sets options before a client is connected. */
    public ClientBootstrap client() {
        return client;
    }

    /** Binds a free port of the loopback interface; each connection gets its own handlers. */
    public Channel listen(Supplier<ChannelHandler> handlers) {
        return listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), handlers);
    }

    public Channel listen(SocketAddress address, Supplier<ChannelHandler> handlers) {
        server.setPipelineFactory(() -> Channels.pipeline(handlers.get()));
        return server.bind(address);
    }

    /** Connects and waits for it; without handlers, received events are recorded and nothing else. */
    public Channel connect(SocketAddress address, ChannelHandler... handlers) {
        return Await.success(connecting(address, handlers), "the connection").getChannel();
    }

    public ChannelFuture connecting(SocketAddress address, ChannelHandler... handlers) {
        ChannelHandler[] chosen = handlers.length > 0 ? handlers : new ChannelHandler[] {new Recorder()};
        client.setPipelineFactory(() -> Channels.pipeline(chosen));
        return client.connect(address);
    }

    @Override
    public void close() {
        client.releaseExternalResources();
        server.releaseExternalResources();
    }
}
