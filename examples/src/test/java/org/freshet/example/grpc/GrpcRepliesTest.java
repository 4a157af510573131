package org.freshet.example.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http2.Http2ClientConnection;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.testing.Await;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Replies from a thread other than the stream's keep their order, even if the deadline passes meanwhile. */
class GrpcRepliesTest {
    private static final String ANSWER = "/freshet.example.Hello/Answer";

    private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final ClientBootstrap client = new ClientBootstrap(new NioClientSocketChannelFactory(1));
    private final HashedWheelTimer timer = new HashedWheelTimer(1, TimeUnit.MILLISECONDS);

    /** What the server's stream sends: "head", "message", "end". */
    private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

    private final CountDownLatch headBegun = new CountDownLatch(1);
    private final CountDownLatch trailersSent = new CountDownLatch(1);

    /** What the client receives. */
    private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

    private volatile Thread worker;

    @AfterEach
    void release() {
        client.releaseExternalResources();
        server.releaseExternalResources();
        timer.stop();
    }

    /** Holds the head that the worker itself writes until something overtakes it. */
    private final class Gate extends SimpleChannelDownstreamHandler {
        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            Object message = e.getMessage();
            headBegun.countDown();
            if (message instanceof HttpResponse && Thread.currentThread() == worker) {
                Await.latch(trailersSent, "the end of the call");
            }
            sent.add(
                    message instanceof HttpResponse ? "head" : message instanceof HttpChunkTrailer ? "end" : "message");
            ctx.sendDownstream(e);
            if (message instanceof HttpChunkTrailer) {
                trailersSent.countDown();
            }
        }
    }

    private Thread work(Runnable action) {
        Thread thread = new Thread(action, "worker");
        worker = thread;
        thread.start();
        return thread;
    }

    /** Calls a method that runs this when the request has ended, on the I/O thread. */
    private void call(long millis, Consumer<GrpcReplies> method) {
        GrpcMethod answering = replies -> new GrpcMethod.Call() {
            @Override
            public void onMessage(byte[] message) {}

            @Override
            public void onEnd() {
                method.accept(replies);
            }
        };
        Map<String, GrpcMethod> methods = Map.of(ANSWER, answering);
        server.setPipelineFactory(() -> Channels.pipeline(
                new Http2ServerHandler(() -> Channels.pipeline(new Gate(), new GrpcServerHandler(methods, timer)))));
        client.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler()));
        Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Http2ClientConnection connection =
                Http2ClientConnection.of(Await.success(client.connect(bound.getLocalAddress()), "a connection")
                        .getChannel());
        GrpcClientCall.start(connection, ANSWER, timer, millis, new GrpcClientCall.Listener() {
            @Override
            public void onOpen(GrpcClientCall call) {
                call.halfClose();
            }

            @Override
            public void onMessage(GrpcClientCall call, byte[] message) throws Exception {
                seen.add(StringValue.parseFrom(message).getValue());
            }

            @Override
            public void onEnd(GrpcStatus status) {
                seen.add(status);
            }
        });
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        return queue.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** As the deadline may do while the worker is about to send the head. */
    @Test
    void shouldNotSendTheEndBeforeTheHead() throws InterruptedException {
        BlockingQueue<GrpcReplies> replying = new LinkedBlockingQueue<>();
        call(Await.LIMIT.toMillis(), answering -> {
            work(() -> answering.send(StringValue.of("x")));
            replying.add(answering);
        });
        GrpcReplies replies = next(replying);
        Await.latch(headBegun, "the head");
        replies.end(GrpcStatus.OK);
        assertEquals("head", next(sent));
        assertEquals("message", next(sent));
        assertEquals("end", next(sent));
        assertEquals("x", next(seen));
        assertEquals(GrpcStatus.OK, next(seen));
    }

    @Test
    void shouldEndAfterMessagesSentBefore() throws InterruptedException {
        trailersSent.countDown();
        call(Await.LIMIT.toMillis(), replies -> {
            Await.end(work(() -> replies.send(StringValue.of("x"))));
            replies.end(GrpcStatus.OK);
        });
        assertEquals("x", next(seen));
        assertEquals(GrpcStatus.OK, next(seen));
    }

    @Test
    void shouldSendNothingAfterTheEnd() throws InterruptedException {
        trailersSent.countDown();
        call(Await.LIMIT.toMillis(), replies -> {
            replies.end(GrpcStatus.OK);
            replies.send(StringValue.of("late"));
            replies.end(new GrpcStatus(GrpcStatus.INTERNAL, "late"));
        });
        assertEquals(GrpcStatus.OK, next(seen));
        assertEquals("head", next(sent));
        assertTrue(sent.isEmpty());
    }
}
