package org.freshet.dropin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.ning.http.client.AsyncHttpClient;
import com.ning.http.client.AsyncHttpClientConfig;
import com.ning.http.client.ListenableFuture;
import com.ning.http.client.Response;
import com.ning.http.client.providers.netty.NettyAsyncHttpProvider;
import com.ning.http.client.ws.DefaultWebSocketListener;
import com.ning.http.client.ws.WebSocket;
import com.ning.http.client.ws.WebSocketUpgradeHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.jboss.netty.bootstrap.ServerBootstrap;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory;
import org.jboss.netty.handler.codec.http.HttpRequest;
import org.jboss.netty.handler.codec.http.HttpServerCodec;
import org.jboss.netty.handler.codec.http.websocketx.WebSocketServerHandshaker;
import org.jboss.netty.handler.codec.http.websocketx.WebSocketServerHandshakerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The published AsyncHttpClient, with the JDK's server and one compiled against Netty 3. */
class AsyncHttpClientTest {
    private static final int DEADLINE_SECONDS = 30;
    private static final int REQUESTS = 100;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private AsyncHttpClient client;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/echo", exchange -> {
            byte[] content = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, content.length == 0 ? -1 : content.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(content);
            }
        });
        server.createContext("/compressed", exchange -> {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = new GZIPOutputStream(exchange.getResponseBody())) {
                out.write(new byte[100_000]);
            }
        });
        server.createContext("/moved", exchange -> {
            exchange.getResponseHeaders().set("Location", "/compressed");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        server.start();
        AsyncHttpClientConfig config = new AsyncHttpClientConfig.Builder()
                .setFollowRedirect(true)
                .setCompressionEnforced(true)
                .build();
        client = new AsyncHttpClient(new NettyAsyncHttpProvider(config), config);
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private static Response answer(ListenableFuture<Response> response) throws Exception {
        return response.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void shouldSendAndReceiveLargeContent() throws Exception {
        assertEquals(DropIn.JAR, DropIn.inUse());
        byte[] content = new byte[1 << 20];
        new Random(1).nextBytes(content);
        Response response =
                answer(client.preparePost(url("/echo")).setBody(content).execute());
        assertArrayEquals(content, response.getResponseBodyAsBytes());
        Response ofChunks = answer(client.preparePost(url("/echo"))
                .setBody(new ByteArrayInputStream(content))
                .execute());
        assertArrayEquals(content, ofChunks.getResponseBodyAsBytes());
    }

    @Test
    void shouldSendManyConcurrentRequests() throws Exception {
        List<ListenableFuture<Response>> responses = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            responses.add(
                    client.preparePost(url("/echo")).setBody("request " + i).execute());
        }
        for (int i = 0; i < REQUESTS; i++) {
            assertEquals("request " + i, answer(responses.get(i)).getResponseBody());
        }
    }

    @Test
    void shouldFollowARedirectAndInflate() throws Exception {
        Response response = answer(client.prepareGet(url("/moved")).execute());
        assertEquals(url("/compressed"), response.getUri().toUrl());
        assertArrayEquals(new byte[100_000], response.getResponseBodyAsBytes());
    }

    /** Echoes each frame of an upgraded connection. */
    static final class WebSocketEcho extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpRequest) {
                HttpRequest request = (HttpRequest) e.getMessage();
                WebSocketServerHandshaker handshaker =
                        new WebSocketServerHandshakerFactory("ws://localhost/", null, false).newHandshaker(request);
                handshaker.handshake(ctx.getChannel(), request);
            } else {
                ctx.getChannel().write(e.getMessage());
            }
        }
    }

    @Test
    void shouldUseWebSocketWithAServerCompiledAgainstNetty3() throws Exception {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new HttpServerCodec(), new WebSocketEcho()));
        Channel listener = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try {
            CompletableFuture<byte[]> echoed = new CompletableFuture<>();
            WebSocket socket = client.prepareGet(
                            "ws://127.0.0.1:" + ((InetSocketAddress) listener.getLocalAddress()).getPort() + "/")
                    .execute(new WebSocketUpgradeHandler.Builder()
                            .addWebSocketListener(new DefaultWebSocketListener() {
                                @Override
                                public void onMessage(byte[] message) {
                                    echoed.complete(message);
                                }
                            })
                            .build())
                    .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            socket.sendMessage(new byte[] {1, 2, 3});
            assertArrayEquals(new byte[] {1, 2, 3}, echoed.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
            socket.close();
        } finally {
            listener.close().awaitUninterruptibly(DEADLINE_SECONDS, TimeUnit.SECONDS);
            bootstrap.releaseExternalResources();
        }
    }
}
