package org.freshet.handler.codec.http.websocketx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.handler.traffic.BackPressureHandler;
import org.freshet.handler.traffic.ChannelTrafficShapingHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Healthy but slow connections, with pings whose pongs have less time than the slow phase lasts. */
@Tag("crypto")
class WebSocketKeepAliveSocketTest {
    private static final Duration INTERVAL = Duration.ofMillis(50);
    private static final Duration PONG_TIMEOUT = Duration.ofMillis(400);
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final int FRAME_BYTES = 16 * 1024;
    private static final int FRAMES = 80;
    private static final int SOCKET_BUFFER_BYTES = 32 * 1024;

    /** The other handlers in the server's pipeline. */
    private enum Around {
        NOTHING,
        TLS,
        BACK_PRESSURE,
        SHAPER
    }

    private final HashedWheelTimer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);
    private final ConcurrentLinkedQueue<Throwable> caught = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Channel> accepted = new CompletableFuture<>();
    private final SelfSignedCertificate certificate = Certificates.named("localhost");
    private Rig rig;

    @AfterEach
    void close() {
        rig.close();
        timer.stop();
    }

    private class Application extends WebSocketHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            caught.add(e.getCause());
        }
    }

    private final class Server extends Application {
        @Override
        public void webSocketOpened(ChannelHandlerContext ctx, WebSocketHandshakeEvent e) {
            accepted.complete(ctx.getChannel());
        }

        @Override
        public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
            ctx.getChannel().write(frame);
        }
    }

    /** Stops reading for some milliseconds after each frame. */
    private final class SlowClient extends Application {
        private final AtomicInteger received = new AtomicInteger();
        private volatile boolean isSlow = true;

        @Override
        public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
            received.incrementAndGet();
            Channel channel = ctx.getChannel();
            if (isSlow) {
                channel.setReadable(false);
                timer.newTimeout(t -> channel.setReadable(true), 10, TimeUnit.MILLISECONDS);
            }
        }
    }

    private Channel serve(SocketTransport transport, Around around) throws Exception {
        rig = transport.newRig();
        SslContext tls = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .build();
        WebSocketServerConfig config = WebSocketServerConfig.builder("/")
                .ping(INTERVAL, PONG_TIMEOUT)
                .timer(timer)
                .build();
        rig.server().setOption("child.sendBufferSize", SOCKET_BUFFER_BYTES);
        rig.server().setPipelineFactory(() -> {
            ChannelPipeline pipeline =
                    Channels.pipeline(new HttpServerCodec(), new WebSocketServerProtocolHandler(config), new Server());
            switch (around) {
                case TLS -> pipeline.addFirst("tls", tls.newHandler());
                case BACK_PRESSURE -> pipeline.addFirst("back pressure", new BackPressureHandler());
                case SHAPER -> pipeline.addFirst("shaper", new ChannelTrafficShapingHandler(timer, 2 << 20, 0, 100));
                case NOTHING -> {}
            }
            return pipeline;
        });
        return rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private Channel connect(Channel server, Around around, Application application) throws Exception {
        InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
        String scheme = around == Around.TLS ? "wss" : "ws";
        URI uri = URI.create(scheme + "://localhost:" + address.getPort() + "/");
        SslContext tls = SslContextBuilder.forClient().trust(certificate.cert()).build();
        rig.client().setOption("receiveBufferSize", SOCKET_BUFFER_BYTES);
        rig.client().setPipelineFactory(() -> {
            WebSocketClientConfig config =
                    WebSocketClientConfig.builder(uri).timer(timer).build();
            ChannelPipeline pipeline =
                    Channels.pipeline(new HttpClientCodec(), new WebSocketClientProtocolHandler(config), application);
            if (around == Around.TLS) {
                pipeline.addFirst("tls", tls.newHandler("localhost", address.getPort()));
            }
            return pipeline;
        });
        rig.client().connect(address);
        return Await.result(accepted, "the handshake");
    }

    private static void awaitSlowness() {
        long from = System.nanoTime();
        Await.until(() -> System.nanoTime() - from > SLOW_NANOS, "the time to pass");
    }

    @ParameterizedTest
    @EnumSource
    void shouldSurviveAPauseInReading(SocketTransport transport) throws Exception {
        SlowClient client = new SlowClient();
        client.isSlow = false;
        Channel connection = connect(serve(transport, Around.NOTHING), Around.NOTHING, client);
        connection.setReadable(false);
        awaitSlowness();
        assertEquals(List.of(), List.copyOf(caught));
        assertTrue(connection.isOpen());
        connection.setReadable(true);
        awaitSlowness();
        assertTrue(connection.isOpen());
        connection.write(new TextWebSocketFrame("still here"));
        Await.until(() -> client.received.get() == 1, "the server's writes");
    }

    @ParameterizedTest
    @EnumSource
    void shouldSurviveAPeerThatReadsSlowly(Around around) throws Exception {
        shouldDeliverABacklog(SocketTransport.NIO, around);
    }

    @ParameterizedTest
    @EnumSource
    void shouldSurviveAPeerThatReadsSlowlyOverBothTransports(SocketTransport transport) throws Exception {
        shouldDeliverABacklog(transport, Around.NOTHING);
    }

    private void shouldDeliverABacklog(SocketTransport transport, Around around) throws Exception {
        SlowClient client = new SlowClient();
        Channel connection = connect(serve(transport, around), around, client);
        byte[] content = new byte[FRAME_BYTES];
        new Random(1).nextBytes(content);
        for (int i = 0; i < FRAMES; i++) {
            connection.write(new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(content)));
        }
        Await.until(() -> client.received.get() == FRAMES || !connection.isOpen(), () -> client.received + " frames");
        assertEquals(List.of(), List.copyOf(caught));
        assertEquals(FRAMES, client.received.get());
        assertTrue(connection.isOpen());
    }
}
