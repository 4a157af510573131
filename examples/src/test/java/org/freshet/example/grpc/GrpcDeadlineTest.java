package org.freshet.example.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http2.Http2ClientConnection;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.testing.Await;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A client's deadline runs from the start of the call, even while the server allows no more: this server allows one
 * call at a time.
 */
class GrpcDeadlineTest {
    private static final String WAIT = "/freshet.example.Hello/Wait";
    private static final long WAITED_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final ClientBootstrap client = new ClientBootstrap(new NioClientSocketChannelFactory(1));
    private final HashedWheelTimer timer = new HashedWheelTimer(1, TimeUnit.MILLISECONDS);

    /** The calls that have reached the server. */
    private final BlockingQueue<GrpcReplies> received = new LinkedBlockingQueue<>();

    private final BlockingQueue<GrpcStatus> ended = new LinkedBlockingQueue<>();
    private Http2ClientConnection connection;

    /** Answers when the test tells it to. */
    private static final class Waiting implements GrpcMethod.Call {
        @Override
        public void onMessage(byte[] message) {}

        @Override
        public void onEnd() {}
    }

    @BeforeEach
    void connect() {
        Map<String, GrpcMethod> methods = Map.of(WAIT, replies -> {
            received.add(replies);
            return new Waiting();
        });
        Http2Settings settings =
                Http2Settings.defaults().toBuilder().maxConcurrentStreams(1).build();
        server.setPipelineFactory(() -> Channels.pipeline(
                new Http2ServerHandler(() -> Channels.pipeline(new GrpcServerHandler(methods, timer)), settings)));
        client.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler()));
        Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        connection = Http2ClientConnection.of(Await.success(client.connect(bound.getLocalAddress()), "a connection")
                .getChannel());
        Await.until(() -> connection.getMaxStreams() == 1, "the server's settings");
    }

    @AfterEach
    void release() {
        client.releaseExternalResources();
        server.releaseExternalResources();
        timer.stop();
    }

    private void call(long millis) {
        GrpcClientCall.start(connection, WAIT, timer, millis, new GrpcClientCall.Listener() {
            @Override
            public void onOpen(GrpcClientCall call) {
                call.send(StringValue.of("x"));
            }

            @Override
            public void onMessage(GrpcClientCall call, byte[] message) {}

            @Override
            public void onEnd(GrpcStatus status) {
                ended.add(status);
            }
        });
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        return queue.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Test
    void shouldEndACallThatIsWaitingForTheServer() throws InterruptedException {
        call(Await.LIMIT.toMillis());
        GrpcReplies first = next(received);
        call(20);
        assertEquals(new GrpcStatus(GrpcStatus.DEADLINE_EXCEEDED, "after 20 ms"), next(ended));
        assertEquals(1, connection.getOpenStreams(), "nothing waits any more");

        first.end(GrpcStatus.OK);
        assertEquals(GrpcStatus.OK, next(ended));
        call(Await.LIMIT.toMillis());
        next(received).end(GrpcStatus.OK);
        assertEquals(GrpcStatus.OK, next(ended), "the connection continues");
        assertTrue(ended.isEmpty());
    }

    @Test
    void shouldSendTheServerTheRemainingTime() throws Exception {
        long millis = Await.LIMIT.toMillis();
        call(millis);
        GrpcReplies first = next(received);
        long startNanos = System.nanoTime();
        call(millis);
        Await.until(() -> System.nanoTime() - startNanos > WAITED_NANOS + TimeUnit.MILLISECONDS.toNanos(1), "a while");
        first.end(GrpcStatus.OK);

        long left = GrpcTimeout.nanos(next(received).metadata().get("grpc-timeout"));
        assertTrue(left <= TimeUnit.MILLISECONDS.toNanos(millis) - WAITED_NANOS, () -> left + " ns");
        assertTrue(left > 0);
    }

    @Test
    void shouldEndACallOnAClosedConnection() throws InterruptedException {
        Await.success(connection.getChannel().close(), "the connection's end");
        call(Await.LIMIT.toMillis());
        assertEquals(GrpcStatus.UNAVAILABLE, next(ended).code());
    }
}
