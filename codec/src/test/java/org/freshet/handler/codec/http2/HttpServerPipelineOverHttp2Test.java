package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.server.AccessLogFormat;
import org.freshet.handler.codec.http.server.CompressionRules;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The ready-made pipeline when clients choose the version. */
class HttpServerPipelineOverHttp2Test {
    private static final String GET = "GET /%s HTTP/1.1\r\nHost: a\r\n\r\n";

    private final FakeTimer timer = new FakeTimer();
    private final List<List<String>> pipelines = new CopyOnWriteArrayList<>();
    private final HttpServerPipeline pipeline = HttpServerPipeline.builder(timer)
            .aggregate(1000)
            .accessLog(AccessLogFormat.common())
            .compress(CompressionRules.defaults())
            .http2(Http2Settings.defaults())
            .handler("application", Application::new)
            .build();

    /** Exceptions of the application, and the access log. */
    private CapturedLog log;

    @BeforeEach
    void captureLog() {
        log = CapturedLog.start();
    }

    @AfterEach
    void releaseLog() {
        log.close();
    }

    private final class Application extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            pipelines.add(ctx.getPipeline().getNames());
            HttpRequest request = (HttpRequest) e.getMessage();
            if (request.getUri().equals("/throw")) {
                throw new IllegalStateException("a fault of the application");
            }
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.setContent(ChannelBuffers.copiedBuffer("answer", US_ASCII));
            ctx.getChannel().write(response);
        }
    }

    private ChannelHandler[] handlers() {
        return pipeline.getPipeline().toMap().values().toArray(new ChannelHandler[0]);
    }

    private FramePeer connect() {
        FramePeer peer = new FramePeer(handlers());
        peer.send(Http2ServerHandler.PREFACE);
        peer.send(frame(SETTINGS, 0, 0), frame(SETTINGS, FramePeer.ACK, 0));
        peer.lines();
        return peer;
    }

    /** Without the parts that differ between answers. */
    private static List<String> heads(FramePeer peer) {
        return peer.lines().stream()
                .map(line -> line.replaceAll(" (date|content-type|vary|content-length)=.*?(?= [a-z-]+=| END|$)", ""))
                .toList();
    }

    @Test
    void shouldServeHttp2() {
        FramePeer peer = connect();

        peer.send(peer.get(1, "/a"), peer.request(3, false, "POST", "/b"), data(3, true, "content"));

        assertEquals(
                List.of("HEADERS 1 :status=200", "HEADERS 3 :status=200", "DATA 1 'answer' END", "DATA 3 'answer' END"),
                heads(peer).stream()
                        .sorted((a, b) -> b.substring(0, 1).compareTo(a.substring(0, 1)))
                        .toList());
        assertEquals(
                List.of(
                        "timeouts",
                        "keepAlive",
                        "accessLog",
                        "errors",
                        "compressor",
                        "continue",
                        "aggregator",
                        "application",
                        "failures"),
                pipelines.get(0));
        assertTrue(log.messages().stream().anyMatch(line -> line.text().contains("\"GET /a HTTP/2.0\" 200 6")));
    }

    @Test
    void shouldServeHttp11WithAllItsHandlers() {
        MemoryChannel channel = MemoryChannel.connected(handlers());

        channel.receive(ChannelBuffers.copiedBuffer(GET.formatted("a") + GET.formatted("b"), US_ASCII));

        StringBuilder sent = new StringBuilder();
        channel.takeWritten().forEach(bytes -> sent.append(((ChannelBuffer) bytes).toString(US_ASCII)));
        assertEquals(List.of(), channel.takeCaught());
        assertEquals(2, sent.toString().split("HTTP/1.1 200 OK\r\n", -1).length - 1, sent.toString());
        assertTrue(
                pipelines.get(0).containsAll(List.of("timeouts", "codec", "keepAlive", "failures")),
                () -> pipelines.get(0).toString());
        assertTrue(timer.pendingTimeouts() > 0, "between requests");
    }

    @Test
    void shouldAnswerAnErrorOnItsStreamOnly() {
        FramePeer peer = connect();

        peer.send(
                peer.request(1, false, "POST", "/", "content-length", "10000"),
                peer.get(3, "/throw"),
                peer.get(5, "/"));

        List<String> lines = heads(peer);
        assertTrue(lines.contains("HEADERS 1 :status=413"), lines.toString());
        assertTrue(lines.contains("RST_STREAM 1 NO_ERROR"), lines.toString());
        assertTrue(lines.contains("HEADERS 3 :status=500"), lines.toString());
        assertTrue(lines.contains("HEADERS 5 :status=200"), lines.toString());
        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldSend100ContinueToAnHttp2Client() {
        FramePeer peer = connect();
        peer.send(peer.request(1, false, "POST", "/", "content-length", "3", "expect", "100-continue"));
        assertEquals(List.of("HEADERS 1 :status=100"), peer.lines());

        peer.send(data(1, true, "abc"));

        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'answer' END"), heads(peer));
    }
}
