package org.freshet.example.httpservice;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.server.AccessLogFormat;
import org.freshet.handler.codec.http.server.CompressionRules;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http.server.route.RoutedRequest;
import org.freshet.handler.codec.http.server.route.Router;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** The server. Try {@code curl -i 'localhost:8080/greeting?name=you'}. Any thread may bind and close it. */
public final class HttpService implements AutoCloseable {
    private static final int DEFAULT_PORT = 8080;
    private static final int MAX_CONTENT_LENGTH = 64 * 1024;
    private static final Duration DRAIN_TIME = Duration.ofSeconds(10);

    private final Timer timer = new HashedWheelTimer();
    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());

    public HttpService() {
        RequestHandler service = RequestHandler.of(Router.builder()
                .get("/greeting", HttpService::greeting)
                .get("/health", request -> HttpResponses.text("up\n"))
                .build());
        bootstrap.setPipelineFactory(HttpServerPipeline.builder(timer)
                .aggregate(MAX_CONTENT_LENGTH)
                .accessLog(AccessLogFormat.combined())
                .compress(CompressionRules.defaults())
                .handler("service", () -> service)
                .build());
        bootstrap.setOption("child.tcpNoDelay", true);
        bootstrap.setOption("backlog", 1024);
    }

    private static HttpResponse greeting(RoutedRequest request) {
        List<String> names = request.queryParameters("name");
        return HttpResponses.text("Hello, " + (names.isEmpty() ? "world" : String.join(" and ", names)) + "!\n");
    }

    public Channel bind(InetSocketAddress address) {
        return bootstrap.bind(address);
    }

    /** Lets each connection finish its current request, up to a time limit. */
    @Override
    public void close() {
        bootstrap.drain(DRAIN_TIME).join();
        bootstrap.releaseExternalResources();
        timer.stop();
    }

    public static void main(String[] args) {
        Arguments arguments = new Arguments("http-service-server [PORT]", 0, 1, args);
        HttpService service = new HttpService();
        Runtime.getRuntime().addShutdownHook(new Thread(service::close, "shutdown"));
        try {
            Channel server = service.bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            System.out.println("greeting on " + server.getLocalAddress() + "; stop with Ctrl+C");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }
}
