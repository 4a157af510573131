package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Behavior shared by HTTP/1.1 and HTTP/2. */
abstract class AccessLogHandlerContract {
    private final TextClient.Wire wire;

    AccessLogHandlerContract(TextClient.Wire wire) {
        this.wire = wire;
    }

    final List<AccessLogEntry> entries = new CopyOnWriteArrayList<>();
    final List<String> lines = new CopyOnWriteArrayList<>();

    Connection connect(ChannelHandler... above) {
        AccessLogFormat format = entry -> {
            entries.add(entry);
            return entry.target() + " " + entry.status() + " " + entry.contentBytes()
                    + (entry.complete() ? "" : " cut");
        };
        return new Connection(wire, () -> {
            List<ChannelHandler> handlers = new ArrayList<>(List.of(new AccessLogHandler(format, lines::add)));
            handlers.addAll(List.of(above));
            return handlers.toArray(new ChannelHandler[0]);
        });
    }

    static HttpResponse response(int status, String content) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
        response.setContent(ChannelBuffers.copiedBuffer(content, ISO_8859_1));
        HttpHeaders.setContentLength(response, content.length());
        return response;
    }

    List<String> takeLines() {
        List<String> taken = new ArrayList<>(lines);
        lines.clear();
        return taken;
    }

    // ---- which line is written when ----

    @Test
    void shouldWriteALineWhenTheLastByteWasSent() {
        Connection connection = connect();
        connection.client.transport().holdWrites();
        connection.request("GET", "/1");
        connection.client.channel().write(response(200, "12345"));
        assertEquals(List.of(), takeLines());
        connection.client.transport().completeWrites();
        assertEquals(List.of("/1 200 5"), takeLines());
        assertTrue(entries.get(0).duration().compareTo(Duration.ZERO) >= 0);
    }

    @Test
    void shouldWriteOneLineForAnAnswerThatFails() {
        Connection connection = connect();
        connection.client.transport().holdWrites();
        connection.request("GET", "/1");
        connection.client.channel().write(response(200, "12345"));
        connection.client.transport().failWrites(new IOException("broken"));
        connection.client.channel().close();
        assertEquals(List.of("/1 200 0 cut"), takeLines());
    }

    @Test
    void shouldSurviveAConsumerOrFormatThatThrows() {
        try (CapturedLog log = CapturedLog.start()) {
            for (AccessLogHandler broken : List.of(
                    new AccessLogHandler(AccessLogFormat.common(), line -> {
                        throw new IllegalStateException("broken consumer");
                    }),
                    new AccessLogHandler(
                            entry -> {
                                throw new AssertionError("broken format");
                            },
                            lines::add))) {
                Connection connection = new Connection(wire, () -> new ChannelHandler[] {broken});
                connection.request("GET", "/1");
                connection.client.channel().write(response(200, "1"));
                assertTrue(connection.takeSent().endsWith("\r\n\r\n1"));
                assertEquals(List.of(), connection.client.takeCaught());
                assertTrue(connection.client.takesRequests());
            }
            assertTrue(
                    log.messages(InternalLogLevel.WARN).size() <= 1,
                    log.messages().toString());
        }
    }

    @Test
    void shouldWriteToItsOwnLogger() {
        try (CapturedLog log = CapturedLog.start()) {
            Connection connection =
                    new Connection(wire, () -> new ChannelHandler[] {new AccessLogHandler(AccessLogFormat.common())});
            connection.request("GET", "/{}");
            connection.client.channel().write(response(200, "1"));
            CapturedLog.Message message = log.awaitMessage(m -> m.logger().equals(AccessLogHandler.LOGGER_NAME));
            assertEquals(InternalLogLevel.INFO, message.level());
            String protocol = wire == TextClient.Wire.HTTP_2 ? "HTTP/2.0" : "HTTP/1.1";
            assertTrue(message.text().endsWith("\"GET /{} " + protocol + "\" 200 1"), message.text());
        }
    }

    // ---- refusals ----

    private static final String POST = "POST /1 HTTP/1.1\r\nHost: test\r\n";

    /** Each is refused by a different handler: one for the head, one for chunked content. */
    @ParameterizedTest
    @CsvSource({
        "'Content-Length: 11\r\n\r\n01234567890', 413",
        "'Content-Length: 11\r\nExpect: 100-continue\r\n\r\n', 413",
        "'Transfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n0\r\n\r\n', 413",
        "'Transfer-Encoding: chunked\r\n\r\n6\r\n012345\r\n6\r\n012345\r\n0\r\n\r\n', 413",
        "'Content-Length: 1\r\nExpect: a miracle\r\n\r\nx', 417",
    })
    void shouldWriteOneLineForARefusedRequest(String rest, int status) {
        Connection connection =
                connect(new HttpErrorResponder(), new HttpContinueHandler(10), new HttpChunkAggregator(10));
        String sent = connection.send(POST + rest.replace("\\r\\n", "\r\n"));
        assertTrue(sent.startsWith("HTTP/1.1 " + status), sent);
        connection.client.channel().close();
        String reason = Connection.content(sent);
        assertEquals(List.of("/1 " + status + " " + reason.length()), takeLines());
        assertFalse(entries.get(0).failure().isBlank());
    }

    // ---- what is counted ----

    @Test
    void shouldCountContentHoweverItIsWritten() {
        Connection chunked = connect();
        chunked.request("GET", "/chunks");
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.setChunked(true);
        chunked.client.channel().write(head);
        chunked.client.channel().write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer("123", ISO_8859_1)));
        chunked.client.channel().write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer("45", ISO_8859_1)));
        assertEquals(List.of(), takeLines());
        chunked.client.channel().write(HttpChunk.LAST_CHUNK);
        assertEquals(List.of("/chunks 200 5"), takeLines());

        Connection raw = connect();
        raw.request("GET", "/buffers");
        HttpResponse length = response(206, "");
        HttpHeaders.setContentLength(length, 7);
        raw.client.channel().write(length);
        raw.client.channel().write(ChannelBuffers.copiedBuffer("1234", ISO_8859_1));
        assertEquals(List.of(), takeLines());
        raw.client.channel().write(ChannelBuffers.copiedBuffer("567", ISO_8859_1));
        assertEquals(List.of("/buffers 206 7"), takeLines());

        Connection none = connect();
        none.request("HEAD", "/head");
        none.client.channel().write(response(200, "12345"));
        assertEquals(List.of("/head 200 0"), takeLines());
    }

    @Test
    void shouldWriteALineForAnAnswerThatIsCutShort() {
        Connection connection = connect();
        connection.request("GET", "/1");
        HttpResponse head = response(200, "");
        HttpHeaders.setContentLength(head, 1000);
        connection.client.channel().write(head);
        connection.client.channel().write(ChannelBuffers.copiedBuffer("12", ISO_8859_1));
        connection.client.channel().close();
        assertEquals(List.of("/1 200 2 cut"), takeLines());
    }
}
