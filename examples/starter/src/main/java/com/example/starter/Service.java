package com.example.starter;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.server.AccessLogFormat;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http.server.route.RoutedRequest;
import org.freshet.handler.codec.http.server.route.Router;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** An HTTP service. The port is the environment's PORT, or 8080. */
public final class Service implements AutoCloseable {
    private static final int MAX_CONTENT_BYTES = 64 * 1024;

    /** The most that a client can make a connection keep: content, a head, and the connection itself. */
    private static final int MAX_CONNECTION_BYTES = MAX_CONTENT_BYTES + 16 * 1024;

    /**
     * Further connections wait until one ends. Half of the heap is enough for these, whatever their clients send: 409
     * with 64 MB.
     */
    private static final int MAX_CONNECTIONS =
            (int) Math.min(10_000, Runtime.getRuntime().maxMemory() / 2 / MAX_CONNECTION_BYTES);

    private final Timer timer = new HashedWheelTimer();
    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());

    public Service() {
        RequestHandler service =
                RequestHandler.of(Router.builder().get("/", Service::greeting).build());
        bootstrap.setPipelineFactory(HttpServerPipeline.builder(timer)
                .aggregate(MAX_CONTENT_BYTES)
                .accessLog(AccessLogFormat.combined())
                .handler("service", () -> service)
                .build());
        bootstrap.setOption("child.tcpNoDelay", true);
        bootstrap.setOption("maxConnections", MAX_CONNECTIONS);
    }

    /** Runs on the connection's I/O thread, so it must not block. */
    private static HttpResponse greeting(RoutedRequest request) {
        String name = request.queryParameter("name");
        return HttpResponses.text("Hello, " + (name == null ? "world" : name) + "!\n");
    }

    public Channel bind(InetSocketAddress address) {
        return bootstrap.bind(address);
    }

    /** Answers requests that have begun, for up to 10 s; then closes everything and stops all threads. */
    @Override
    public void close() {
        bootstrap.drain(Duration.ofSeconds(10)).join();
        bootstrap.releaseExternalResources();
        timer.stop();
    }

    public static void main(String[] args) {
        Service service = new Service();
        Runtime.getRuntime().addShutdownHook(new Thread(service::close, "shutdown"));
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
        System.out.println("serving on " + service.bind(new InetSocketAddress(port)).getLocalAddress());
    }
}
