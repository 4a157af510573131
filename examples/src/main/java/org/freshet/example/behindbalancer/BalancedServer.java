package org.freshet.example.behindbalancer;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.freshet.bootstrap.AcceptGuard;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.OriginalAddress;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http.server.route.RoutedRequest;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolHeader;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolSettings;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolTlv;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/**
 * An HTTP server that accepts connections only from load balancers on this machine, and returns each client its own
 * address. A client may have two connections at a time. {@code curl --haproxy-protocol} can act as the balancer.
 */
public final class BalancedServer implements AutoCloseable {
    private static final String[] BALANCERS = {"127.0.0.0/8", "::1/128"};
    private static final int MAX_BYTES = 1024;

    static final int MAX_PER_CLIENT = 2;

    private final Timer timer = new HashedWheelTimer();
    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final Channel channel;

    BalancedServer(int port) {
        AcceptGuard.Builder guard = AcceptGuard.builder().perAddress(MAX_PER_CLIENT);
        for (String balancer : BALANCERS) {
            guard.exempt(balancer); // until the client is known, a connection counts as the balancer's
        }
        bootstrap.setAcceptGuard(guard.build());
        bootstrap.setPipelineFactory(HttpServerPipeline.builder(timer)
                .proxyProtocol(ProxyProtocolSettings.trusting(BALANCERS).withTlvs(ProxyProtocolTlv.AUTHORITY))
                .aggregate(MAX_BYTES)
                .handler("application", () -> RequestHandler.of(BalancedServer::describe))
                .build());
        channel = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static HttpResponse describe(RoutedRequest request) {
        ProxyProtocolHeader header = ProxyProtocolHeader.of(request.channel());
        String name = header.authority() == null ? "" : ", and asked for " + header.authority();
        return HttpResponses.text("you are " + request.source().address() + ", connected to "
                + OriginalAddress.destinationOf(request.channel()) + name + "\n");
    }

    InetSocketAddress address() {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    @Override
    public void close() {
        bootstrap.releaseExternalResources();
        timer.stop();
    }

    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = new Arguments("behind-balancer-server [PORT]", 0, 1, args);
        try (BalancedServer server = new BalancedServer(arguments.port(0, 8080))) {
            int port = server.address().getPort();
            System.out.println("listening on " + port + "; stop with Ctrl+C");
            System.out.println("try: curl --haproxy-protocol http://localhost:" + port + "/");
            server.channel.getCloseFuture().await();
        }
    }
}
