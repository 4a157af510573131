package org.freshet.example.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.nio.NioWorkerPool;
import org.freshet.channel.socket.nio.ShareableWorkerPool;
import org.freshet.example.Arguments;
import org.freshet.handler.timeout.ReadTimeoutHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/**
 * A proxy for SOCKS 4, 4a, 5 and HTTP CONNECT on one port of the loopback interface, until it is stopped. Try
 * {@code curl --proxy socks5h://localhost:1080 http://example.com}.
 */
public final class ProxyServer {
    private static final int DEFAULT_PORT = 1080;

    /** Time limit for each step of a client's request. */
    private static final int SILENCE_SECONDS = 10;

    private static final int MAX_LOOKUPS = 32;

    private final Timer timer = new HashedWheelTimer();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ExecutorService resolvers = Executors.newFixedThreadPool(MAX_LOOKUPS);
    private final NioWorkerPool workers =
            new NioWorkerPool(threads, Runtime.getRuntime().availableProcessors());
    private final NioClientSocketChannelFactory backs =
            new NioClientSocketChannelFactory(threads, 1, new ShareableWorkerPool<>(workers));
    private final ServerBootstrap bootstrap =
            new ServerBootstrap(new NioServerSocketChannelFactory(threads, new ShareableWorkerPool<>(workers)));

    ProxyServer(TargetRules rules) {
        TunnelConnector connector = new TunnelConnector(backs, resolvers, rules);
        bootstrap.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            pipeline.addLast("timeout", new ReadTimeoutHandler(timer, SILENCE_SECONDS));
            pipeline.addLast("detector", new ProtocolDetector(connector));
            return pipeline;
        });
        bootstrap.setOption("child." + ChannelOption.TCP_NODELAY.key(), true);
        bootstrap.setOption("child." + ChannelOption.ALLOW_HALF_CLOSURE.key(), true);
    }

    public static void main(String[] args) {
        Arguments arguments = new Arguments("proxy-server [PORT [TARGETS]]", 0, 2, args);
        int port = arguments.port(0, DEFAULT_PORT);
        TargetRules rules = arguments.count() < 2 ? TargetRules.PUBLIC : rules(arguments);
        ProxyServer proxy = new ProxyServer(rules);
        try {
            InetSocketAddress address = proxy.bind(port);
            System.out.println("SOCKS 4, 4a, 5 and CONNECT on " + address + " to "
                    + rules.name().toLowerCase(Locale.ROOT) + " addresses; stop with Ctrl+C");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static TargetRules rules(Arguments arguments) {
        return switch (arguments.text(1)) {
            case "public" -> TargetRules.PUBLIC;
            case "any" -> TargetRules.ANY;
            default -> throw arguments.refuse("TARGETS must be public or any, not \"" + arguments.text(1) + "\"");
        };
    }

    /** Binds to the loopback interface only, because clients need not authenticate. */
    InetSocketAddress bind(int port) {
        return (InetSocketAddress) bootstrap
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .getLocalAddress();
    }

    /** Closes all channels and stops all threads. */
    void close() {
        bootstrap.shutdown();
        backs.shutdown();
        workers.releaseExternalResources();
        threads.shutdown();
        resolvers.shutdown();
        timer.stop();
    }
}
