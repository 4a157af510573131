package org.freshet.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.nio.NioUnixClientChannelFactory;
import org.freshet.channel.socket.nio.NioUnixServerChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.testing.Rig;
import org.freshet.testing.UnixPaths;

/** The server's and the client's transport of a scenario. */
enum Pair {
    NIO_NIO(NioServerSocketChannelFactory::new, NioClientSocketChannelFactory::new),
    NIO_OIO(NioServerSocketChannelFactory::new, OioClientSocketChannelFactory::new),
    OIO_NIO(OioServerSocketChannelFactory::new, NioClientSocketChannelFactory::new),
    OIO_OIO(OioServerSocketChannelFactory::new, OioClientSocketChannelFactory::new),
    UNIX(NioUnixServerChannelFactory::new, NioUnixClientChannelFactory::new),
    LOCAL(DefaultLocalServerChannelFactory::new, DefaultLocalClientChannelFactory::new);

    private static final AtomicInteger names = new AtomicInteger();

    private final Supplier<ChannelFactory> serverFactory;
    private final Supplier<ChannelFactory> clientFactory;

    Pair(Supplier<ChannelFactory> serverFactory, Supplier<ChannelFactory> clientFactory) {
        this.serverFactory = serverFactory;
        this.clientFactory = clientFactory;
    }

    Rig rig() {
        return new Rig(serverFactory.get(), clientFactory.get());
    }

    /** An unused address to bind. */
    SocketAddress freeAddress() {
        return switch (this) {
            case LOCAL -> new LocalAddress("matrix-" + names.incrementAndGet());
            case UNIX -> UnixPaths.free();
            default -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        };
    }
}
