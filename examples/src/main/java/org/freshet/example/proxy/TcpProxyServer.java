package org.freshet.example.proxy;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.ChannelException;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.nio.NioWorkerPool;
import org.freshet.channel.socket.nio.ShareableWorkerPool;
import org.freshet.example.Arguments;

/** Listens, and relays each connection to a target, until it is stopped. Both sides share the same workers. */
public final class TcpProxyServer {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final NioWorkerPool workers =
            new NioWorkerPool(threads, Runtime.getRuntime().availableProcessors());
    private final NioClientSocketChannelFactory backs =
            new NioClientSocketChannelFactory(threads, 1, new ShareableWorkerPool<>(workers));
    private final ServerBootstrap bootstrap =
            new ServerBootstrap(new NioServerSocketChannelFactory(threads, new ShareableWorkerPool<>(workers)));

    /** @param load counts the bytes that the proxy holds */
    TcpProxyServer(SocketAddress target, ProxyLoad load) {
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new FrontHandler(backs, target, load)));
    }

    public static void main(String[] args) {
        Arguments arguments = new Arguments("tcp-proxy-server PORT TARGET_HOST TARGET_PORT", 3, 3, args);
        InetSocketAddress target = new InetSocketAddress(arguments.text(1), arguments.port(2, 0));
        if (target.isUnresolved()) {
            throw arguments.refuse("unknown host: " + arguments.text(1));
        }
        TcpProxyServer proxy = new TcpProxyServer(target, new ProxyLoad());
        try {
            SocketAddress address = proxy.bind(new InetSocketAddress(arguments.port(0, 0)));
            System.out.println("relaying from " + address + " to " + target + "; stop with Ctrl+C");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    SocketAddress bind(SocketAddress address) {
        return bootstrap.bind(address).getLocalAddress();
    }

    /** Closes all channels and stops all threads. */
    void close() {
        bootstrap.shutdown();
        backs.shutdown();
        workers.releaseExternalResources();
        threads.shutdown();
    }
}
