package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server with {@link HttpServerCodec}, tested with the JDK, Netty 3 and Netty 4.2 clients, and with one that writes
 * bytes.
 */
class HttpPeerClientsTest {
    private static final byte[] NOTHING = {};

    private final byte[] content = new byte[200_000];

    private ReportingServer server;

    /** The messages a Netty client received, as texts. */
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    HttpPeerClientsTest() {
        Seeds.random().nextBytes(content);
    }

    @AfterEach
    void closeServer() {
        server.close();
    }

    /** Before Java 21, a JDK client keeps its sockets until it is garbage collected. */
    @AfterAll
    static void collectClients() {
        System.gc();
    }

    private void serve(SocketTransport transport) {
        server = new ReportingServer(transport, false);
    }

    private static String report(String method, String target, byte[] content) {
        return ReportingServer.report(method, target, content, "-");
    }

    private String next() throws InterruptedException {
        return received.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    // ---- bytes ----

    private String exchange(String requests) throws IOException {
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.setSoTimeout((int) Await.LIMIT.toMillis());
            socket.getOutputStream().write(requests.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private static String ok(String report) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + report.length() + "\r\n\r\n" + report;
    }

    private static String last(String report) {
        return "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + report.length() + "\r\n\r\n" + report;
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerPipelinedRequestsInOrder(SocketTransport transport) throws IOException {
        serve(transport);
        String head = report("HEAD", "/h", NOTHING);
        assertEquals(
                ok(report("GET", "/1", NOTHING))
                        + "HTTP/1.1 200 OK\r\nContent-Length: " + head.length() + "\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "5\r\none, \r\n5\r\ntwo, \r\n5\r\nthree\r\n0\r\nX-Sum: 15\r\n\r\n"
                        + "HTTP/1.1 204 No Content\r\n\r\n"
                        + "HTTP/1.1 304 Not Modified\r\nContent-Length: "
                        + report("GET", "/304", NOTHING).length()
                        + "\r\n\r\n"
                        + ok(report("POST", "/p", "hello".getBytes(US_ASCII)))
                        + ok(ReportingServer.report("PUT", "/c", "hello!".getBytes(US_ASCII), "6"))
                        + last(report("GET", "/2", NOTHING)),
                exchange("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "HEAD /h HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "GET /chunks HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "GET /204 HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "GET /304 HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
                        + "PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "5;x=y\r\nhello\r\n1\r\n!\r\n0\r\nX-Sum: 6\r\n\r\n"
                        + "GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                        + "GET /behind-the-last HTTP/1.1\r\nHost: a\r\n\r\n"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerFarMoreRequestsThanItDecodesAhead(SocketTransport transport) throws Exception {
        serve(transport);
        int count = 5000;
        CompletableFuture<String> answers = CompletableFuture.supplyAsync(() -> {
            try {
                return exchange("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count - 1)
                        + "GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        String report = report("GET", "/1", NOTHING);
        assertEquals(ok(report).repeat(count - 1) + last(report), Await.result(answers, "the answers"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndTheConnectionAfterAnAnswerToVersion10(SocketTransport transport) throws IOException {
        serve(transport);
        assertEquals(last(report("GET", "/1", NOTHING)), exchange("GET /1 HTTP/1.0\r\n\r\nGET /2 HTTP/1.0\r\n\r\n"));
        assertEquals(
                "HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nConnection: close\r\n\r\n" + ReportingServer.CHUNKS,
                exchange("GET /chunks HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
    }

    // ---- JDK ----

    private static void assertAnswer(String expected, java.net.http.HttpResponse<String> answer) {
        assertEquals("200 " + expected, answer.statusCode() + " " + answer.body());
    }

    private static java.net.http.HttpResponse<String> send(
            HttpClient client, java.net.http.HttpRequest.Builder request) {
        return Await.result(client.sendAsync(request.build(), BodyHandlers.ofString(ISO_8859_1)), "an answer");
    }

    private java.net.http.HttpRequest.Builder to(String target) {
        return java.net.http.HttpRequest.newBuilder(URI.create(server.url(target)));
    }

    /** Version 2 asks in its first request for an upgrade, which it does not get. */
    @ParameterizedTest
    @EnumSource
    void shouldServeTheJdkClient(SocketTransport transport) throws Exception {
        serve(transport);
        for (HttpClient.Version version : HttpClient.Version.values()) {
            HttpClient client = HttpClient.newBuilder()
                    .version(version)
                    .proxy(HttpClient.Builder.NO_PROXY)
                    .build();
            converse(client);
            if (client instanceof AutoCloseable closeable) {
                closeable.close();
            }
        }
    }

    private void converse(HttpClient client) {
        assertAnswer(report("GET", "/1", NOTHING), send(client, to("/1")));
        assertAnswer(ReportingServer.CHUNKS, send(client, to("/untrailed"))); // it cannot read trailers
        assertEquals(
                "204 ",
                send(client, to("/204")).statusCode() + " "
                        + send(client, to("/204")).body());
        assertEquals(304, send(client, to("/304")).statusCode());
        var head = send(client, to("/long").method("HEAD", BodyPublishers.noBody()));
        assertEquals(
                "" + ReportingServer.LONG,
                head.headers().firstValue("Content-Length").orElse("none"));
        assertAnswer("x".repeat(ReportingServer.LONG), send(client, to("/long")));
        BodyPublisher known = BodyPublishers.ofByteArray(content);
        BodyPublisher unknown = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(content));
        for (BodyPublisher publisher : List.of(known, unknown)) {
            assertAnswer(report("POST", "/p", content), send(client, to("/p").POST(publisher)));
            assertAnswer(
                    report("PUT", "/e", content),
                    send(client, to("/e").PUT(publisher).expectContinue(true)));
        }
        List<CompletableFuture<java.net.http.HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(client.sendAsync(to("/" + (1000 + i)).build(), BodyHandlers.ofString(ISO_8859_1)));
        }
        for (int i = 0; i < 20; i++) {
            assertAnswer(report("GET", "/" + (1000 + i), NOTHING), Await.result(answers.get(i), "answer " + i));
        }
    }

    private String open(String method, String target, boolean chunks) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(server.url(target)).openConnection(Proxy.NO_PROXY);
        connection.setReadTimeout((int) Await.LIMIT.toMillis());
        connection.setRequestMethod(method);
        try {
            if (method.equals("POST")) {
                connection.setDoOutput(true);
                if (chunks) {
                    connection.setChunkedStreamingMode(1000);
                }
                try (OutputStream output = connection.getOutputStream()) {
                    output.write(content);
                }
            }
            return connection.getResponseCode() + " "
                    + new String(connection.getInputStream().readAllBytes(), ISO_8859_1);
        } finally {
            connection.disconnect();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeTheOldJdkClient(SocketTransport transport) throws IOException {
        serve(transport);
        assertEquals("200 " + report("GET", "/1", NOTHING), open("GET", "/1", false));
        assertEquals("200 " + ReportingServer.CHUNKS, open("GET", "/chunks", false));
        assertEquals("200 ", open("HEAD", "/long", false));
        assertEquals("204 ", open("GET", "/204", false));
        assertEquals("200 " + report("POST", "/p", content), open("POST", "/p", false));
        assertEquals("200 " + report("POST", "/p", content), open("POST", "/p", true));
    }

    // ---- Netty ----

    private void assertNettyAnswers() throws InterruptedException {
        assertEquals("200 " + report("GET", "/1", NOTHING), next());
        assertEquals("200 ", next());
        assertEquals("200 " + ReportingServer.CHUNKS + " X-Sum=" + ReportingServer.CHUNKS.length(), next());
        assertEquals("204 ", next());
        assertEquals("304 ", next());
        assertEquals("200 " + ReportingServer.report("PUT", "/c", content, "many"), next());
        assertEquals("200 " + report("POST", "/p", content), next());
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeNetty3(SocketTransport transport) throws Exception {
        serve(transport);
        var bootstrap = new org.jboss.netty.bootstrap.ClientBootstrap(
                new org.jboss.netty.channel.socket.nio.NioClientSocketChannelFactory(
                        Executors.newCachedThreadPool(), Executors.newCachedThreadPool(), 1, 1));
        bootstrap.setPipelineFactory(() -> org.jboss.netty.channel.Channels.pipeline(
                new org.jboss.netty.handler.codec.http.HttpClientCodec(),
                new org.jboss.netty.handler.codec.http.HttpChunkAggregator(1 << 20),
                new org.jboss.netty.channel.SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(
                            org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
                        var response = (org.jboss.netty.handler.codec.http.HttpResponse) e.getMessage();
                        String sum = response.headers().get("X-Sum");
                        received.add(response.getStatus().getCode() + " "
                                + response.getContent().toString(ISO_8859_1) + (sum == null ? "" : " X-Sum=" + sum));
                    }
                }));
        try {
            var channel =
                    bootstrap.connect(server.address()).awaitUninterruptibly().getChannel();
            for (String request : List.of("GET /1", "HEAD /1", "GET /chunks", "GET /204", "GET /304")) {
                channel.write(netty3Request(request));
            }
            var chunked = netty3Request("PUT /c");
            chunked.setChunked(true);
            chunked.headers().set("Transfer-Encoding", "chunked");
            channel.write(chunked);
            for (int at = 0; at < content.length; at += content.length / 10) {
                channel.write(new org.jboss.netty.handler.codec.http.DefaultHttpChunk(
                        org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(content, at, content.length / 10)));
            }
            var trailer = new org.jboss.netty.handler.codec.http.DefaultHttpChunkTrailer();
            trailer.trailingHeaders().set("X-Sum", "many");
            channel.write(trailer);
            var whole = netty3Request("POST /p");
            whole.headers().set("Content-Length", content.length);
            whole.setContent(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(content));
            channel.write(whole);
            assertNettyAnswers();
            channel.close().awaitUninterruptibly();
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    private static org.jboss.netty.handler.codec.http.HttpRequest netty3Request(String line) {
        String[] parts = line.split(" ");
        var request = new org.jboss.netty.handler.codec.http.DefaultHttpRequest(
                org.jboss.netty.handler.codec.http.HttpVersion.HTTP_1_1,
                org.jboss.netty.handler.codec.http.HttpMethod.valueOf(parts[0]),
                parts[1]);
        request.headers().set("Host", "a");
        return request;
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeNetty4(SocketTransport transport) throws Exception {
        serve(transport);
        var group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            var channel = new Bootstrap()
                    .group(group)
                    .channel(NioSocketChannel.class)
                    .handler(new Netty4Client())
                    .connect(server.address())
                    .sync()
                    .channel();
            for (String request : List.of("GET /1", "HEAD /1", "GET /chunks", "GET /204", "GET /304")) {
                channel.write(netty4Request(request, NOTHING));
            }
            var chunked = new io.netty.handler.codec.http.DefaultHttpRequest(
                    io.netty.handler.codec.http.HttpVersion.HTTP_1_1, io.netty.handler.codec.http.HttpMethod.PUT, "/c");
            chunked.headers().set("Host", "a").set("Transfer-Encoding", "chunked");
            channel.write(chunked);
            for (int at = 0; at < content.length; at += content.length / 10) {
                channel.write(new io.netty.handler.codec.http.DefaultHttpContent(
                        Unpooled.wrappedBuffer(content, at, content.length / 10)));
            }
            var trailer = new io.netty.handler.codec.http.DefaultLastHttpContent();
            trailer.trailingHeaders().set("X-Sum", "many");
            channel.write(trailer);
            channel.writeAndFlush(netty4Request("POST /p", content));
            assertNettyAnswers();
            channel.close().sync();
        } finally {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        }
    }

    private static Object netty4Request(String line, byte[] content) {
        String[] parts = line.split(" ");
        var request = new io.netty.handler.codec.http.DefaultFullHttpRequest(
                io.netty.handler.codec.http.HttpVersion.HTTP_1_1,
                io.netty.handler.codec.http.HttpMethod.valueOf(parts[0]),
                parts[1],
                Unpooled.wrappedBuffer(content));
        request.headers().set("Host", "a");
        if (content.length > 0) {
            request.headers().set("Content-Length", content.length);
        }
        return request;
    }

    private final class Netty4Client extends ChannelInitializer<SocketChannel> {
        @Override
        protected void initChannel(SocketChannel channel) {
            channel.pipeline()
                    .addLast(new io.netty.handler.codec.http.HttpClientCodec())
                    .addLast(new HttpObjectAggregator(1 << 20))
                    .addLast(new SimpleChannelInboundHandler<FullHttpResponse>() {
                        @Override
                        protected void channelRead0(
                                io.netty.channel.ChannelHandlerContext ctx, FullHttpResponse response) {
                            assertTrue(response.decoderResult().isSuccess(), response::toString);
                            String sum = response.trailingHeaders().get("X-Sum");
                            received.add(response.status().code() + " "
                                    + response.content().toString(ISO_8859_1) + (sum == null ? "" : " X-Sum=" + sum));
                        }
                    });
        }
    }
}
