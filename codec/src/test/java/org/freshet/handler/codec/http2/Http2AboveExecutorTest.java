package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.internal.IoThreadBound;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.Test;

/** A handler below moves the connection's events to its executor: the connection still belongs to one thread, the I/O thread. */
class Http2AboveExecutorTest {
    private final CompletableFuture<Boolean> isOnIoThread = new CompletableFuture<>();
    private final CompletableFuture<HttpResponse> answer = new CompletableFuture<>();

    private final class Application extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            isOnIoThread.complete(((IoThreadBound) e.getChannel()).inIoThread());
            e.getChannel().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NO_CONTENT));
        }
    }

    private final class Client extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            answer.complete((HttpResponse) e.getMessage());
        }
    }

    @Test
    void shouldHandleItsEventsOnTheIoThread() {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (Rig rig = new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory(1))) {
            rig.server()
                    .setPipelineFactory(() -> Channels.pipeline(
                            new ExecutionHandler(executor, true, true),
                            new Http2ServerHandler(() -> Channels.pipeline(new Application()))));
            Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Channel connection = rig.connect(server.getLocalAddress(), new Http2ClientHandler());
            Channel stream = Await.success(
                            Http2ClientConnection.of(connection).open(Channels.pipeline(new Client())), "the stream")
                    .getChannel();
            DefaultHttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
            request.headers().set("Host", "localhost");
            stream.write(request);
            assertEquals(
                    HttpResponseStatus.NO_CONTENT,
                    Await.result(answer, "the answer").getStatus());
            assertTrue(isOnIoThread.join());
        } finally {
            executor.shutdown();
        }
    }
}
