package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client with {@link HttpClientCodec} against the JDK and Netty 3 servers. */
class HttpPeerServersTest {
    private static final byte[] NOTHING = {};

    private final byte[] content = new byte[200_000];
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    HttpPeerServersTest() {
        Seeds.random().nextBytes(content);
    }

    private String next() throws InterruptedException {
        return received.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private static String report(String method, String target, byte[] content) {
        return ReportingServer.report(method, target, content, "-");
    }

    private final class Client extends SimpleChannelUpstreamHandler {
        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            ctx.getPipeline().addFirst("aggregator", new HttpChunkAggregator(1 << 21));
            ctx.getPipeline().addFirst("codec", new HttpClientCodec(HttpLimits.defaults(), true));
            ctx.sendUpstream(e);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            HttpResponse response = (HttpResponse) e.getMessage();
            String sum = response.trailingHeaders().get("X-Sum");
            received.add(response.getStatus().getCode() + " "
                    + response.getContent().toString(ISO_8859_1) + (sum == null ? "" : " X-Sum=" + sum));
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            received.add("closed");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            received.add(e.getCause().toString());
        }
    }

    private static HttpRequest request(String line) {
        String[] parts = line.split(" ");
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(parts[0]), parts[1]);
        HttpHeaders.setHost(request, "a");
        return request;
    }

    private HttpRequest requestWithContent(String line) {
        HttpRequest request = request(line);
        HttpHeaders.setContentLength(request, content.length);
        request.setContent(ChannelBuffers.wrappedBuffer(content));
        return request;
    }

    private void writeChunks(Channel channel, String line, HttpChunkTrailer end) {
        HttpRequest request = request(line);
        request.setChunked(true);
        channel.write(request);
        for (int at = 0; at < content.length; at += content.length / 10) {
            channel.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(content, at, content.length / 10)));
        }
        channel.write(end);
    }

    // ---- JDK ----

    /** Answers like {@link ReportingServer}, without trailers. */
    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String report = report(
                    exchange.getRequestMethod(), path, exchange.getRequestBody().readAllBytes());
            byte[] answer = (path.equals("/chunks") ? ReportingServer.CHUNKS : report).getBytes(US_ASCII);
            boolean number = path.matches("/[1-5]\\d\\d");
            int status = number ? Integer.parseInt(path.substring(1)) : 200;
            if (exchange.getRequestMethod().equals("HEAD") || status == 204 || status == 304) {
                exchange.sendResponseHeaders(status, -1);
                return;
            }
            exchange.sendResponseHeaders(status, path.equals("/chunks") ? 0 : answer.length);
            try (OutputStream output = exchange.getResponseBody()) {
                output.write(answer);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTalkToTheJdkServer(SocketTransport transport) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService executor = Executors.newCachedThreadPool();
        server.setExecutor(executor);
        server.createContext("/", HttpPeerServersTest::answer);
        server.start();
        try (Rig rig = transport.newRig()) {
            Channel channel = rig.connect(server.getAddress(), new Client());
            converse(channel);
            HttpRequest last = request("GET /last");
            HttpHeaders.setKeepAlive(last, false);
            channel.write(last);
            assertEquals("200 " + report("GET", "/last", NOTHING), next());
            assertEquals("closed", next());
        } finally {
            server.stop(0);
            executor.shutdown();
        }
    }

    private void converse(Channel channel) throws InterruptedException {
        channel.write(request("GET /1"));
        assertEquals("200 " + report("GET", "/1", NOTHING), next());
        channel.write(request("HEAD /1"));
        assertEquals("200 ", next());
        channel.write(request("GET /204"));
        assertEquals("204 ", next());
        channel.write(request("GET /304"));
        assertEquals("304 ", next());
        channel.write(request("GET /chunks"));
        assertEquals("200 " + ReportingServer.CHUNKS, next());
        channel.write(requestWithContent("POST /p"));
        assertEquals("200 " + report("POST", "/p", content), next());
        writeChunks(channel, "PUT /c", HttpChunk.LAST_CHUNK);
        assertEquals("200 " + report("PUT", "/c", content), next());
    }

    // ---- Netty 3 ----

    /**
     * Answers like {@link ReportingServer}. A version 1.0 in the request's target makes it answer in that version until
     * it closes.
     */
    private static final class Netty3Server extends org.jboss.netty.channel.SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
            var request = (org.jboss.netty.handler.codec.http.HttpRequest) e.getMessage();
            String path = request.getUri();
            var response = new org.jboss.netty.handler.codec.http.DefaultHttpResponse(
                    path.equals("/1.0")
                            ? org.jboss.netty.handler.codec.http.HttpVersion.HTTP_1_0
                            : org.jboss.netty.handler.codec.http.HttpVersion.HTTP_1_1,
                    org.jboss.netty.handler.codec.http.HttpResponseStatus.valueOf(
                            path.matches("/[1-5]\\d\\d") ? Integer.parseInt(path.substring(1)) : 200));
            byte[] received = new byte[request.getContent().readableBytes()];
            request.getContent().getBytes(0, received);
            String sum = request.headers().get("X-Sum");
            String report =
                    ReportingServer.report(request.getMethod().getName(), path, received, sum == null ? "-" : sum);
            if (path.equals("/chunks")) {
                writeChunks(e.getChannel(), response);
                return;
            }
            boolean noContent = request.getMethod().getName().equals("HEAD") || path.matches("/[23]04");
            if (!noContent) {
                response.setContent(org.jboss.netty.buffer.ChannelBuffers.copiedBuffer(report, US_ASCII));
            }
            if (path.equals("/1.0")) {
                e.getChannel().write(response).addListener(org.jboss.netty.channel.ChannelFutureListener.CLOSE);
                return;
            }
            response.headers().set("Content-Length", report.length());
            e.getChannel().write(response);
        }

        private static void writeChunks(
                org.jboss.netty.channel.Channel channel, org.jboss.netty.handler.codec.http.HttpResponse response) {
            response.setChunked(true);
            response.headers().set("Transfer-Encoding", "chunked");
            channel.write(response);
            for (String chunk : ReportingServer.CHUNKS.split("(?<= )")) {
                channel.write(new org.jboss.netty.handler.codec.http.DefaultHttpChunk(
                        org.jboss.netty.buffer.ChannelBuffers.copiedBuffer(chunk, US_ASCII)));
            }
            var end = new org.jboss.netty.handler.codec.http.DefaultHttpChunkTrailer();
            end.trailingHeaders().set("X-Sum", ReportingServer.CHUNKS.length());
            channel.write(end);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTalkToNetty3(SocketTransport transport) throws Exception {
        var bootstrap = new org.jboss.netty.bootstrap.ServerBootstrap(
                new org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory(
                        Executors.newCachedThreadPool(), Executors.newCachedThreadPool(), 1));
        bootstrap.setPipelineFactory(() -> org.jboss.netty.channel.Channels.pipeline(
                new org.jboss.netty.handler.codec.http.HttpServerCodec(),
                new org.jboss.netty.handler.codec.http.HttpChunkAggregator(1 << 21),
                new Netty3Server()));
        var server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try (Rig rig = transport.newRig()) {
            pipeline(rig.connect(server.getLocalAddress(), new Client()));
        } finally {
            server.close().awaitUninterruptibly();
            bootstrap.releaseExternalResources();
        }
    }

    /** Answers to requests that were all written before the first answer. */
    private void pipeline(Channel channel) throws InterruptedException {
        for (String line : List.of("GET /1", "HEAD /1", "GET /chunks", "GET /204", "GET /304")) {
            channel.write(request(line));
        }
        channel.write(requestWithContent("POST /p"));
        HttpRequest asking = requestWithContent("POST /asking");
        HttpHeaders.set100ContinueExpected(asking);
        channel.write(asking);
        HttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
        trailer.trailingHeaders().set("X-Sum", "many");
        writeChunks(channel, "PUT /c", trailer);
        channel.write(request("GET /1.0"));
        assertEquals("200 " + report("GET", "/1", NOTHING), next());
        assertEquals("200 ", next());
        assertEquals("200 " + ReportingServer.CHUNKS + " X-Sum=" + ReportingServer.CHUNKS.length(), next());
        assertEquals("204 ", next());
        assertEquals("304 ", next());
        assertEquals("200 " + report("POST", "/p", content), next());
        assertEquals("100 ", next());
        assertEquals("200 " + report("POST", "/asking", content), next());
        assertEquals("200 " + ReportingServer.report("PUT", "/c", content, "many"), next());
        assertEquals("200 " + report("GET", "/1.0", NOTHING), next());
        assertEquals("closed", next());
    }
}
