package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The formats, and requests on an HTTP/1.1 connection. */
class AccessLogHandlerTest extends AccessLogHandlerContract {
    private static final Instant TIME = Instant.parse("2026-11-22T08:49:37.123Z");

    AccessLogHandlerTest() {
        super(TextClient.Wire.HTTP_1);
    }

    @Test
    void shouldMatchPipelinedRequestsWithTheirAnswers() {
        Connection connection = connect();
        for (int i = 1; i <= 4; i++) {
            connection.request(i == 2 ? "HEAD" : "GET", "/" + i);
        }
        connection.client.channel().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        connection.client.channel().write(response(200, "1"));
        HttpResponse head = response(404, "");
        HttpHeaders.setContentLength(head, 1000);
        connection.client.channel().write(head);
        HttpResponse chunked = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        chunked.setChunked(true);
        connection.client.channel().write(chunked);
        connection.client.channel().write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer("123", ISO_8859_1)));
        connection.client.channel().write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer("45", ISO_8859_1)));
        assertEquals(List.of("/1 200 1", "/2 404 0"), takeLines());
        connection.client.channel().write(HttpChunk.LAST_CHUNK);
        // content as raw buffers after a head that states its length
        HttpResponse raw = response(206, "");
        HttpHeaders.setContentLength(raw, 7);
        connection.client.channel().write(raw);
        connection.client.channel().write(ChannelBuffers.copiedBuffer("1234", ISO_8859_1));
        assertEquals(List.of("/3 200 5"), takeLines());
        connection.client.channel().write(ChannelBuffers.copiedBuffer("567", ISO_8859_1));
        assertEquals(List.of("/4 206 7"), takeLines());
    }

    @Test
    void shouldWriteALineForARequestThatCouldNotBeRead() {
        Connection connection = connect();
        connection.request("GET", "/1");
        connection.send("GET /2 HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n");
        assertEquals(1, connection.client.takeCaught().size());
        connection.client.channel().write(response(200, "1"));
        connection.client.channel().write(response(400, "bad"));
        assertEquals(List.of("/1 200 1", "null 400 3"), takeLines());
        AccessLogEntry refused = entries.get(1);
        assertNull(refused.method());
        assertFalse(refused.failure().isBlank());
    }

    @Test
    void shouldWriteALineForATruncatedRequest() {
        Connection connection = connect();
        connection.request("GET", "/1");
        connection.request("GET", "/2");
        connection.request("GET", "/3");
        HttpResponse head = response(200, "");
        HttpHeaders.setContentLength(head, 1000);
        connection.client.channel().write(response(200, "1"));
        connection.client.channel().write(head);
        connection.client.channel().write(ChannelBuffers.copiedBuffer("12", ISO_8859_1));
        connection.client.channel().close();
        assertEquals(List.of("/1 200 1", "/2 200 2 cut", "/3 0 0 cut"), takeLines());
    }

    @Test
    void shouldNotWriteALineForAConnectionWithoutARequest() {
        Connection connection = connect();
        connection.client.channel().write(response(408, ""));
        connection.client.channel().close();
        assertEquals(List.of(), takeLines());
    }

    private static AccessLogEntry entry(String target, String referer, String userAgent) {
        return new AccessLogEntry(
                new InetSocketAddress("127.0.0.1", 1234),
                new InetSocketAddress("127.0.0.1", 1234),
                TIME,
                Duration.ofNanos(1_234_567),
                "GET",
                target,
                "HTTP/1.1",
                200,
                12,
                true,
                "h",
                referer,
                userAgent,
                null);
    }

    @Test
    void shouldWriteTheCommonFormats() {
        AccessLogEntry entry = entry("/a?b", null, "curl/8");
        String common = "127.0.0.1 - - [22/Nov/2026:08:49:37 +0000] \"GET /a?b HTTP/1.1\" 200 12";
        assertEquals(common, AccessLogFormat.common().format(entry));
        assertEquals(common + " \"-\" \"curl/8\"", AccessLogFormat.combined().format(entry));
        assertEquals(
                "{\"time\":\"2026-11-22T08:49:37.123Z\",\"remote\":\"127.0.0.1\",\"method\":\"GET\",\"target\":\"/a?b\","
                        + "\"version\":\"HTTP/1.1\",\"status\":200,\"bytes\":12,\"duration_us\":1234,\"complete\":true,"
                        + "\"host\":\"h\",\"user_agent\":\"curl/8\"}",
                AccessLogFormat.json().format(entry));
        AccessLogEntry refused = new AccessLogEntry(
                null, null, TIME, Duration.ZERO, null, null, null, 0, 0, false, null, null, null, "no \"colon\"");
        assertEquals(
                "- - - [22/Nov/2026:08:49:37 +0000] \"-\" - -",
                AccessLogFormat.common().format(refused));
        assertTrue(AccessLogFormat.json().format(refused).endsWith(",\"failure\":\"no \\\"colon\\\"\"}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a\" 200 1 \"b | a\\\" 200 1 \\\"b | a\\\" 200 1 \\\"b",
                "a\\\" | a\\\\\\\" | a\\\\\\\"",
                "a{lf}b{cr}c | a\\x0ab\\x0dc | a\\u000ab\\u000dc",
                "{esc}[2J{tab} | \\x1b[2J\\x09 | \\u001b[2J\\u0009",
                "{nul}{del}{csi} | \\x00\\x7f\\x9b | \\u0000\\u007f\\u009b",
                "{ls}ä€ | \\u2028\\xe4\\u20ac | \\u2028\\u00e4\\u20ac",
            })
    void shouldEscapeEverythingThatCouldBreakOutOfAField(String sent, String inLine, String inJson) {
        String text = sent.replace("{lf}", "\n")
                .replace("{cr}", "\r")
                .replace("{esc}", "\u001b")
                .replace("{tab}", "\t")
                .replace("{nul}", "\0")
                .replace("{del}", "\u007f")
                .replace("{csi}", "\u009b")
                .replace("{ls}", "\u2028");
        AccessLogEntry entry = entry(text, text, text);
        assertEquals(
                "127.0.0.1 - - [22/Nov/2026:08:49:37 +0000] \"GET " + inLine + " HTTP/1.1\" 200 12 \"" + inLine
                        + "\" \"" + inLine + "\"",
                AccessLogFormat.combined().format(entry));
        String json = AccessLogFormat.json().format(entry);
        assertTrue(json.contains("\"target\":\"" + inJson + "\""), json);
        assertTrue(json.contains("\"user_agent\":\"" + inJson + "\""), json);
        assertTrue(json.chars().allMatch(c -> c >= 0x20 && c < 0x7f), json);
    }
}
