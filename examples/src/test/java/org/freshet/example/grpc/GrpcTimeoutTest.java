package org.freshet.example.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http2.Http2ClientConnection;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.handler.codec.http2.Http2Error;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.testing.Await;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A deadline also applies on the server, for a client that doesn't end its call. */
class GrpcTimeoutTest {
    private static final String WAIT = "/freshet.example.Hello/Wait";

    private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final ClientBootstrap client = new ClientBootstrap(new NioClientSocketChannelFactory(1));
    private final HashedWheelTimer timer = new HashedWheelTimer();
    private final BlockingQueue<Http2Error> cancelled = new LinkedBlockingQueue<>();

    /** Waits forever. */
    private final class Waiting implements GrpcMethod.Call {
        @Override
        public void onMessage(byte[] message) {}

        @Override
        public void onEnd() {}

        @Override
        public void onCancelled(Http2Error error) {
            cancelled.add(error);
        }
    }

    @AfterEach
    void release() {
        client.releaseExternalResources();
        server.releaseExternalResources();
        timer.stop();
    }

    /** Calls without ending the request; returns the status of the answer. */
    private GrpcStatus call(String timeout) {
        server.setPipelineFactory(() -> Channels.pipeline(new Http2ServerHandler(
                () -> Channels.pipeline(new GrpcServerHandler(Map.of(WAIT, replies -> new Waiting()), timer)))));
        client.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler()));
        Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Http2ClientConnection connection =
                Http2ClientConnection.of(Await.success(client.connect(bound.getLocalAddress()), "a connection")
                        .getChannel());
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, WAIT);
        request.headers().set("Host", "localhost");
        request.headers().set("Content-Type", "application/grpc");
        request.headers().set("grpc-timeout", timeout);
        request.setChunked(true);
        CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
        connection
                .open(Channels.pipeline(new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        answer.complete((HttpResponse) e.getMessage());
                    }
                }))
                .addListener(opened -> opened.getChannel().write(request));
        return GrpcStatus.in(Await.result(answer, "the answer").headers());
    }

    @Test
    void shouldEndACallAtItsDeadline() throws InterruptedException {
        assertEquals(new GrpcStatus(GrpcStatus.DEADLINE_EXCEEDED, "after 20m"), call("20m"));
        assertEquals(Http2Error.CANCEL, cancelled.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Test
    void shouldRefuseAnInvalidTimeout() {
        assertEquals(new GrpcStatus(GrpcStatus.INTERNAL, "invalid grpc-timeout: soon"), call("soon"));
    }

    @Test
    void shouldWriteTheRemainingTime() throws GrpcException {
        assertEquals("1u", GrpcTimeout.header(-5));
        assertEquals("1u", GrpcTimeout.header(1_999));
        assertEquals("99999999u", GrpcTimeout.header(99_999_999_999L));
        assertEquals("100000m", GrpcTimeout.header(100_000_000_000L));
        assertEquals("99999999m", GrpcTimeout.header(TimeUnit.DAYS.toNanos(2)));
    }

    @Test
    void shouldReadEachUnit() throws GrpcException {
        assertEquals(1, GrpcTimeout.nanos("1n"));
        assertEquals(TimeUnit.MICROSECONDS.toNanos(20), GrpcTimeout.nanos("20u"));
        assertEquals(TimeUnit.MILLISECONDS.toNanos(300), GrpcTimeout.nanos("300m"));
        assertEquals(TimeUnit.SECONDS.toNanos(4), GrpcTimeout.nanos("4S"));
        assertEquals(TimeUnit.MINUTES.toNanos(5), GrpcTimeout.nanos("5M"));
        assertEquals(TimeUnit.HOURS.toNanos(6), GrpcTimeout.nanos("6H"));
        assertEquals(TimeUnit.DAYS.toNanos(365), GrpcTimeout.nanos("99999999H"));
        for (String wrong : new String[] {"", "m", "1", "123456789m", "-1m", "1d", "1 m"}) {
            assertThrows(GrpcException.class, () -> GrpcTimeout.nanos(wrong), wrong);
        }
    }
}
