package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Conversations over sockets: with Netty 3, each side as the other's server, and with curl. */
@Timeout(60)
class Netty3InteropTest {
    private final List<Runnable> resources = new ArrayList<>();

    @AfterEach
    void release() {
        for (int i = resources.size() - 1; i >= 0; i--) {
            resources.get(i).run();
        }
    }

    @Test
    void shouldServeANetty3Client() throws Exception {
        InetSocketAddress address = startServer();
        BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
        org.jboss.netty.channel.Channel client = connectNetty3(address, answers);

        for (int length : new int[] {0, 10, 9000, 300_000}) {
            org.jboss.netty.handler.codec.http.HttpRequest request =
                    new org.jboss.netty.handler.codec.http.DefaultHttpRequest(
                            org.jboss.netty.handler.codec.http.HttpVersion.HTTP_1_1,
                            org.jboss.netty.handler.codec.http.HttpMethod.POST,
                            "/echo?n=" + length);
            request.headers().set("Host", "h").set("Content-Length", length);
            request.setContent(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(bytes(length)));
            client.write(request);
            org.jboss.netty.handler.codec.http.HttpResponse response =
                    (org.jboss.netty.handler.codec.http.HttpResponse) answers.poll(20, SECONDS);
            assertNotNull(response, "an answer to " + length + " bytes");
            assertEquals("POST /echo?n=" + length, response.headers().get("X-Line"));
            assertEquals(length, response.getContent().readableBytes());
        }
        client.write(chunkedNetty3Request());
        for (int i = 0; i < 3; i++) {
            client.write(new org.jboss.netty.handler.codec.http.DefaultHttpChunk(
                    org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(bytes(1000))));
        }
        client.write(org.jboss.netty.handler.codec.http.HttpChunk.LAST_CHUNK);
        org.jboss.netty.handler.codec.http.HttpResponse response =
                (org.jboss.netty.handler.codec.http.HttpResponse) answers.poll(20, SECONDS);
        assertNotNull(response, "an answer to a chunked request");
        assertEquals(3000, response.getContent().readableBytes());
    }

    private static org.jboss.netty.handler.codec.http.HttpRequest chunkedNetty3Request() {
        org.jboss.netty.handler.codec.http.HttpRequest request =
                new org.jboss.netty.handler.codec.http.DefaultHttpRequest(
                        org.jboss.netty.handler.codec.http.HttpVersion.HTTP_1_1,
                        org.jboss.netty.handler.codec.http.HttpMethod.PUT,
                        "/chunks");
        request.headers().set("Host", "h").set("Transfer-Encoding", "chunked");
        request.setChunked(true);
        return request;
    }

    @Test
    void shouldBeServedByNetty3() throws Exception {
        InetSocketAddress address = startNetty3Server();
        BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
        Channel client = connect(address, answers);

        for (int length : new int[] {0, 10, 9000, 300_000}) {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/echo?n=" + length);
            HttpHeaders.setHost(request, "h");
            HttpHeaders.setContentLength(request, length);
            request.setContent(ChannelBuffers.wrappedBuffer(bytes(length)));
            client.write(request);
            HttpResponse response = (HttpResponse) answers.poll(20, SECONDS);
            assertNotNull(response, "an answer to " + length + " bytes");
            assertEquals("POST /echo?n=" + length, response.headers().get("X-Line"));
            assertEquals(ChannelBuffers.wrappedBuffer(bytes(length)), response.getContent());
        }
        HttpRequest head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.HEAD, "/head");
        HttpHeaders.setHost(head, "h");
        client.write(head);
        client.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/after"));
        assertEquals(
                "HEAD /head",
                ((HttpResponse) answers.poll(20, SECONDS)).headers().get("X-Line"));
        assertEquals(
                "GET /after",
                ((HttpResponse) answers.poll(20, SECONDS)).headers().get("X-Line"));
    }

    @Test
    void shouldServeCurl() throws Exception {
        assumeTrue(hasCurl(), "no curl here");
        String url = "http://127.0.0.1:" + startServer().getPort();
        Path file = Files.createTempFile("http", ".body");
        resources.add(() -> file.toFile().delete());
        Files.write(file, bytes(200_000));

        assertEquals("", curl("-s", "-o", file + ".out", "-X", "PUT", "--data-binary", "@" + file, url + "/up"));
        resources.add(() -> Path.of(file + ".out").toFile().delete());
        assertEquals(200_000, Files.size(Path.of(file + ".out")));
        assertEquals("abc", curl("-s", "-d", "abc", "-H", "Transfer-Encoding: chunked", url + "/chunked"));
        assertEquals("abc", curl("-s", "-0", "-d", "abc", url + "/old"));
        assertEquals("abc", curl("-s", "-d", "abc", "-H", "Expect: 100-continue", url + "/expect"));
        assertEquals("ab", curl("-s", "-d", "a", url + "/1", "--next", "-s", "-d", "b", url + "/2"));
        assertTrue(curl("-s", "-I", url + "/head").contains("X-Line: HEAD /head"));
        assertEquals("x".repeat(5000), curl("-s", "--compressed", "-d", "x".repeat(5000), url + "/gzip"));
        assertEquals("400", curl("-s", "-o", file + ".out", "-w", "%{http_code}", "-H", "Host: a b", url + "/bad"));
    }

    private static boolean hasCurl() {
        try {
            return new ProcessBuilder("curl", "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException | InterruptedException e) {
            return false;
        }
    }

    private static String curl(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("curl", "--max-time", "20", "--noproxy", "*"));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), () -> command + ": " + output);
        return output;
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    // ---- Freshet's ----

    private InetSocketAddress startServer() {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        resources.add(bootstrap::releaseExternalResources);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new HttpServerCodec(),
                new HttpContentDecompressor(),
                new HttpContentCompressor(),
                new HttpChunkAggregator(1 << 20),
                new Echo()));
        Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        resources.add(() -> server.close().awaitUninterruptibly());
        return (InetSocketAddress) server.getLocalAddress();
    }

    private Channel connect(InetSocketAddress address, BlockingQueue<Object> answers) {
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        resources.add(bootstrap::releaseExternalResources);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new HttpClientCodec(), new HttpChunkAggregator(1 << 20), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        answers.add(e.getMessage());
                    }
                }));
        Channel client = bootstrap.connect(address).awaitUninterruptibly().getChannel();
        resources.add(() -> client.close().awaitUninterruptibly());
        return client;
    }

    /** Sends the content back, and closes if the client asks for it. */
    private static final class Echo extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            HttpRequest request = (HttpRequest) e.getMessage();
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.headers().set("X-Line", request.getMethod() + " " + request.getUri());
            response.setContent(request.getContent());
            HttpHeaders.setContentLength(response, request.getContent().readableBytes());
            if (HttpHeaders.isKeepAlive(request)) {
                e.getChannel().write(response);
            } else {
                e.getChannel().write(response).addListener(ChannelFutureListener.CLOSE);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            if (e.getCause() instanceof HttpFailure) {
                HttpResponseStatus status = ((HttpFailure) e.getCause()).suggestedStatus();
                HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
                HttpHeaders.setContentLength(response, 0);
                HttpHeaders.setKeepAlive(response, false);
                Channels.write(
                        ctx.getPipeline().getContext(HttpContentDecompressor.class),
                        Channels.future(e.getChannel()),
                        response);
                e.getChannel().close();
            } else {
                e.getChannel().close();
            }
        }
    }

    // ---- Netty 3's ----

    private InetSocketAddress startNetty3Server() {
        org.jboss.netty.bootstrap.ServerBootstrap bootstrap = new org.jboss.netty.bootstrap.ServerBootstrap(
                new org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory());
        resources.add(bootstrap::releaseExternalResources);
        bootstrap.setPipelineFactory(() -> org.jboss.netty.channel.Channels.pipeline(
                new org.jboss.netty.handler.codec.http.HttpServerCodec(),
                new org.jboss.netty.handler.codec.http.HttpChunkAggregator(1 << 20),
                new org.jboss.netty.channel.SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(
                            org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
                        e.getChannel()
                                .write(netty3Echo((org.jboss.netty.handler.codec.http.HttpRequest) e.getMessage()));
                    }
                }));
        org.jboss.netty.channel.Channel server =
                bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        resources.add(() -> server.close().awaitUninterruptibly());
        return (InetSocketAddress) server.getLocalAddress();
    }

    private static org.jboss.netty.handler.codec.http.HttpResponse netty3Echo(
            org.jboss.netty.handler.codec.http.HttpRequest request) {
        org.jboss.netty.handler.codec.http.HttpResponse response =
                new org.jboss.netty.handler.codec.http.DefaultHttpResponse(
                        org.jboss.netty.handler.codec.http.HttpVersion.HTTP_1_1,
                        org.jboss.netty.handler.codec.http.HttpResponseStatus.OK);
        response.headers().set("X-Line", request.getMethod() + " " + request.getUri());
        response.headers().set("Content-Length", request.getContent().readableBytes());
        response.setContent(request.getContent());
        return response;
    }

    private org.jboss.netty.channel.Channel connectNetty3(InetSocketAddress address, BlockingQueue<Object> answers) {
        org.jboss.netty.bootstrap.ClientBootstrap bootstrap = new org.jboss.netty.bootstrap.ClientBootstrap(
                new org.jboss.netty.channel.socket.nio.NioClientSocketChannelFactory());
        resources.add(bootstrap::releaseExternalResources);
        bootstrap.setPipelineFactory(() -> org.jboss.netty.channel.Channels.pipeline(
                new org.jboss.netty.handler.codec.http.HttpClientCodec(),
                new org.jboss.netty.handler.codec.http.HttpChunkAggregator(1 << 20),
                new org.jboss.netty.channel.SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(
                            org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
                        answers.add(e.getMessage());
                    }
                }));
        org.jboss.netty.channel.Channel client =
                bootstrap.connect(address).awaitUninterruptibly().getChannel();
        resources.add(() -> client.close().awaitUninterruptibly());
        return client;
    }
}
