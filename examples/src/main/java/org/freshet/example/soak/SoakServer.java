package org.freshet.example.soak;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.freshet.bootstrap.Drain;
import org.freshet.bootstrap.DrainReport;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.ServerChannelFactory;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.CompressionRules;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.HttpTimeoutException;
import org.freshet.handler.codec.http.server.HttpTimeouts;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http.server.route.Router;
import org.freshet.handler.codec.http.websocketx.WebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketHandler;
import org.freshet.handler.codec.http.websocketx.WebSocketServerConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.timeout.ReadTimeoutException;
import org.freshet.handler.timeout.ReadTimeoutHandler;
import org.freshet.handler.traffic.BackPressureHandler;
import org.freshet.util.Timer;

/** All services on one transport, from bind to drain. Any thread. */
final class SoakServer {
    /** The time after which an idle connection is closed. */
    static final Duration SILENCE = Duration.ofSeconds(10);

    private static final int MAX_CONTENT_BYTES = 256 * 1024;

    private final Timer timer;
    private final SslContext tls;
    private final Ledger ledger;
    private final Duration drainDeadline;
    private final Map<Service, ServerBootstrap> bootstraps = new EnumMap<>(Service.class);
    private final Map<Service, InetSocketAddress> addresses = new EnumMap<>(Service.class);

    private volatile boolean isDrained;

    /**
     * Binds a port for each service.
     *
     * @param transports makes a factory for each
     */
    SoakServer(
            Supplier<ServerChannelFactory> transports,
            Timer timer,
            SslContext tls,
            Ledger ledger,
            Duration drainDeadline) {
        this.drainDeadline = drainDeadline;
        this.timer = timer;
        this.tls = tls;
        this.ledger = ledger;
        for (Service service : Service.values()) {
            ServerBootstrap bootstrap = new ServerBootstrap(transports.get());
            ChannelPipelineFactory pipelines = pipelines(service);
            bootstrap.setPipelineFactory(() -> {
                ChannelPipeline pipeline = pipelines.getPipeline();
                pipeline.addFirst("ledger", ledger.handler());
                pipeline.addLast("judge", new Judge());
                return pipeline;
            });
            bootstrap.setOption("child.tcpNoDelay", true);
            bootstrap.setOption("backlog", 1024);
            bootstraps.put(service, bootstrap);
            Channel bound = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            addresses.put(service, (InetSocketAddress) bound.getLocalAddress());
        }
    }

    InetSocketAddress address(Service service) {
        return addresses.get(service);
    }

    /** Returns whether the server may close connections that are in use. */
    boolean isDrained() {
        return isDrained;
    }

    /** Lets connections finish. Call {@link #release} after the report. */
    CompletableFuture<DrainReport> drain() {
        isDrained = true;
        return Drain.of(bootstraps.values().toArray(ServerBootstrap[]::new))
                .deadline(drainDeadline)
                .start();
    }

    /** Stops the threads. */
    void release() {
        bootstraps.values().forEach(ServerBootstrap::releaseExternalResources);
    }

    // ---- services ---------------------------------------------------------------------------------------------------

    private ChannelPipelineFactory pipelines(Service service) {
        return switch (service) {
            case ECHO -> () -> Channels.pipeline(new BackPressureHandler(), silence(), new Echo());
            case TLS_ECHO ->
                () -> Channels.pipeline(new BackPressureHandler(), tls.newHandler(), silence(), new Echo());
            case HTTP -> http();
            case WEB_SOCKET -> webSocket();
        };
    }

    private ChannelHandler silence() {
        return new ReadTimeoutHandler(timer, SILENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private ChannelPipelineFactory http() {
        RequestHandler application = RequestHandler.of(Router.builder()
                .get(
                        "/text/{seed}/{length}",
                        request -> HttpResponses.text(Guest.text(
                                request.pathParameter("seed", Integer::valueOf),
                                request.pathParameter("length", Integer::valueOf))))
                .post("/echo", request -> HttpResponses.text(request.text()))
                .build());
        return HttpServerPipeline.builder(timer)
                .timeouts(HttpTimeouts.defaults().withIdle(SILENCE))
                .aggregate(MAX_CONTENT_BYTES)
                .compress(CompressionRules.defaults())
                .http2(Http2Settings.defaults())
                .handler("application", () -> application)
                .build();
    }

    private ChannelPipelineFactory webSocket() {
        WebSocketServerConfig config = WebSocketServerConfig.builder("/echo")
                .ping(SILENCE.dividedBy(2), SILENCE.dividedBy(2))
                .timer(timer)
                .build();
        return () -> Channels.pipeline(
                new BackPressureHandler(),
                silence(),
                new HttpServerCodec(),
                new WebSocketServerProtocolHandler(config),
                new WebSocketEcho());
    }

    private static final class Echo extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }
    }

    private static final class WebSocketEcho extends WebSocketHandler {
        @Override
        public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
            ctx.getChannel().write(frame);
        }
    }

    /** The last handler. Clients may reset a connection, abort TLS, and fall silent; any other exception is a fault. */
    private final class Judge extends SimpleChannelUpstreamHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            Throwable cause = e.getCause();
            if (!(cause instanceof IOException
                    || cause instanceof ReadTimeoutException
                    || cause instanceof HttpTimeoutException)) {
                ledger.onFault("a server handler got " + cause);
            }
            e.getChannel().close();
        }
    }
}
