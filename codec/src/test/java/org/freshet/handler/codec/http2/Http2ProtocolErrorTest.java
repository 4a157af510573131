package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.CONTINUATION;
import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.END_HEADERS;
import static org.freshet.handler.codec.http2.FramePeer.END_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.GOAWAY;
import static org.freshet.handler.codec.http2.FramePeer.HEADERS;
import static org.freshet.handler.codec.http2.FramePeer.PADDED;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.PRIORITY;
import static org.freshet.handler.codec.http2.FramePeer.PRIORITY_UPDATE;
import static org.freshet.handler.codec.http2.FramePeer.PUSH_PROMISE;
import static org.freshet.handler.codec.http2.FramePeer.RST_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.WINDOW_UPDATE;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.ints;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that break RFC 9113, and how the connection or the stream ends. */
class Http2ProtocolErrorTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

    private static Arguments row(String what, String error, Function<FramePeer, byte[][]> frames) {
        return Arguments.of(what, error, frames);
    }

    private static byte[][] all(byte[]... frames) {
        return frames;
    }

    static Stream<Arguments> connectionErrors() {
        byte[] priority = {0, 0, 0, 1, 16};
        return Stream.of(
                row("a frame larger than allowed", "FRAME_SIZE_ERROR", p -> all(frame(DATA, 0, 1, new byte[16_385]))),
                row("DATA on the connection", "PROTOCOL_ERROR", p -> all(frame(DATA, 0, 0))),
                row("HEADERS on the connection", "PROTOCOL_ERROR", p -> all(frame(HEADERS, 4, 0))),
                row("SETTINGS on a stream", "PROTOCOL_ERROR", p -> all(frame(SETTINGS, 0, 1))),
                row("PING on a stream", "PROTOCOL_ERROR", p -> all(frame(PING, 0, 1, new byte[8]))),
                row("GOAWAY on a stream", "PROTOCOL_ERROR", p -> all(frame(GOAWAY, 0, 1, new byte[8]))),
                row("PING of 7 octets", "FRAME_SIZE_ERROR", p -> all(frame(PING, 0, 0, new byte[7]))),
                row("RST_STREAM of 3 octets", "FRAME_SIZE_ERROR", p -> all(frame(RST_STREAM, 0, 1, new byte[3]))),
                row("PRIORITY of 6 octets", "FRAME_SIZE_ERROR", p -> all(frame(PRIORITY, 0, 1, new byte[6]))),
                row("WINDOW_UPDATE of 5 octets", "FRAME_SIZE_ERROR", p -> all(frame(WINDOW_UPDATE, 0, 0, new byte[5]))),
                row("SETTINGS of 7 octets", "FRAME_SIZE_ERROR", p -> all(frame(SETTINGS, 0, 0, new byte[7]))),
                row(
                        "an acknowledgement with settings",
                        "FRAME_SIZE_ERROR",
                        p -> all(frame(SETTINGS, ACK, 0, new byte[6]))),
                row("a window update of zero", "PROTOCOL_ERROR", p -> all(windowUpdate(0, 0))),
                row("a stream's window update of zero", "PROTOCOL_ERROR", p -> all(p.get(1, "/"), windowUpdate(1, 0))),
                row(
                        "the connection's window too large",
                        "FLOW_CONTROL_ERROR",
                        p -> all(windowUpdate(0, Integer.MAX_VALUE))),
                row("ENABLE_PUSH 2", "PROTOCOL_ERROR", p -> all(setting(2, 2))),
                row("INITIAL_WINDOW_SIZE 2^31", "FLOW_CONTROL_ERROR", p -> all(setting(4, Integer.MIN_VALUE))),
                row("MAX_FRAME_SIZE 0", "PROTOCOL_ERROR", p -> all(setting(5, 0))),
                row("MAX_FRAME_SIZE 16383", "PROTOCOL_ERROR", p -> all(setting(5, 16_383))),
                row("MAX_FRAME_SIZE 2^24", "PROTOCOL_ERROR", p -> all(setting(5, 1 << 24))),
                row(
                        "windows too large by INITIAL_WINDOW_SIZE",
                        "FLOW_CONTROL_ERROR",
                        p -> all(p.get(1, "/"), windowUpdate(1, 100), setting(4, Integer.MAX_VALUE))),
                row("an even stream", "PROTOCOL_ERROR", p -> all(p.get(2, "/"))),
                row("a lower stream", "STREAM_CLOSED", p -> all(p.get(5, "/"), p.get(3, "/"))),
                row("DATA on an idle stream", "PROTOCOL_ERROR", p -> all(data(1, false, "x"))),
                row("RST_STREAM on an idle stream", "PROTOCOL_ERROR", p -> all(reset(1, Http2Error.CANCEL))),
                row("WINDOW_UPDATE on an idle stream", "PROTOCOL_ERROR", p -> all(windowUpdate(1, 1))),
                row("DATA after the end", "STREAM_CLOSED", p -> all(p.get(1, "/"), data(1, false, "x"))),
                row("HEADERS after the end", "STREAM_CLOSED", p -> all(p.get(1, "/"), p.get(1, "/"))),
                row(
                        "DATA after a reset",
                        "STREAM_CLOSED",
                        p -> all(p.request(1, false, "POST", "/"), reset(1, Http2Error.CANCEL), data(1, false, "x"))),
                row("CONTINUATION alone", "PROTOCOL_ERROR", p -> all(frame(CONTINUATION, END_HEADERS, 1))),
                row(
                        "another frame within a block",
                        "PROTOCOL_ERROR",
                        p -> all(frame(HEADERS, END_STREAM, 1), frame(PING, 0, 0, new byte[8]))),
                row(
                        "an unknown frame within a block",
                        "PROTOCOL_ERROR",
                        p -> all(frame(HEADERS, END_STREAM, 1), frame(0x20, 0, 0))),
                row(
                        "another stream's CONTINUATION",
                        "PROTOCOL_ERROR",
                        p -> all(frame(HEADERS, END_STREAM, 1), frame(CONTINUATION, END_HEADERS, 3))),
                row(
                        "PUSH_PROMISE",
                        "PROTOCOL_ERROR",
                        p -> all(p.get(1, "/"), frame(PUSH_PROMISE, END_HEADERS, 1, ints(2)))),
                row("a stream that depends on itself", "PROTOCOL_ERROR", p -> all(frame(PRIORITY, 0, 1, priority))),
                row("PRIORITY_UPDATE of no stream", "PROTOCOL_ERROR", p -> all(frame(PRIORITY_UPDATE, 0, 0, ints(0)))),
                row(
                        "more padding than DATA",
                        "PROTOCOL_ERROR",
                        p -> all(p.request(1, false, "POST", "/"), frame(DATA, PADDED, 1, new byte[] {2, 0}))),
                row(
                        "padded DATA without an octet",
                        "FRAME_SIZE_ERROR",
                        p -> all(p.request(1, false, "POST", "/"), frame(DATA, PADDED, 1))),
                row(
                        "more padding than HEADERS",
                        "PROTOCOL_ERROR",
                        p -> all(frame(HEADERS, PADDED | END_HEADERS, 1, new byte[] {9, 0}))),
                row(
                        "padded HEADERS without an octet",
                        "FRAME_SIZE_ERROR",
                        p -> all(frame(HEADERS, PADDED | END_HEADERS, 1))),
                row(
                        "HEADERS that end within their priority",
                        "FRAME_SIZE_ERROR",
                        p -> all(frame(HEADERS, 0x20 | END_HEADERS, 1, new byte[4]))),
                row(
                        "a block that is not HPACK",
                        "COMPRESSION_ERROR",
                        p -> all(frame(HEADERS, END_HEADERS, 1, new byte[] {(byte) 0x80}))),
                row("more DATA than the window", "FLOW_CONTROL_ERROR", Http2ProtocolErrorTest::moreThanTheWindow));
    }

    private static byte[][] moreThanTheWindow(FramePeer p) {
        List<byte[]> frames = new ArrayList<>();
        frames.add(p.request(1, false, "POST", "/hold"));
        for (int i = 0; i < 17; i++) {
            frames.add(frame(DATA, 0, 1, new byte[16_000]));
        }
        return frames.toArray(new byte[0][]);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("connectionErrors")
    void shouldEndTheConnection(String what, String error, Function<FramePeer, byte[][]> frames) {
        log.reaction = (channel, message) ->
                channel.setReadable(!StreamLog.describe(message).contains("/hold"));

        peer.send(frames.apply(peer));

        List<String> lines = peer.lines();
        assertTrue(lines.get(lines.size() - 1).matches("GOAWAY \\d+ " + error), lines.toString());
        assertFalse(peer.channel.isOpen());
        assertEquals(1, peer.channel.takeCaught().size());
        log.channels.forEach(stream -> assertFalse(stream.isOpen()));
    }

    /** CVE-2026-48043. */
    @Test
    void shouldCountPaddingAgainstTheWindow() {
        Http2Settings settings =
                Http2Settings.defaults().toBuilder().initialWindowSize(100).build();
        FramePeer other = FramePeer.client(new Http2ServerHandler(log::pipeline, settings));
        byte[] payload = new byte[101];
        payload[0] = 90;

        other.send(other.request(1, false, "POST", "/"), frame(DATA, PADDED, 1, payload));

        List<String> lines = other.lines();
        assertEquals("GOAWAY 1 FLOW_CONTROL_ERROR", lines.get(lines.size() - 1));
        assertFalse(other.channel.isOpen());
    }

    static Stream<Arguments> streamErrors() {
        return Stream.of(
                row("no method", "", p -> all(p.headers(1, true, ":scheme", "http", ":path", "/"))),
                row("no scheme", "", p -> all(p.headers(1, true, ":method", "GET", ":path", "/"))),
                row("OPTIONS without a slash", "", p -> all(p.request(1, true, "OPTIONS", "a"))),
                row("no path", "", p -> all(p.headers(1, true, ":method", "GET", ":scheme", "http"))),
                row("an empty path", "", p -> all(p.get(1, ""))),
                row("a path without a slash", "", p -> all(p.get(1, "a"))),
                row("an asterisk without OPTIONS", "", p -> all(p.get(1, "*"))),
                row("a blank in the path", "", p -> all(p.get(1, "/a b"))),
                row("a line feed in the path", "", p -> all(p.get(1, "/a\nb"))),
                row("a method that is not a token", "", p -> all(p.request(1, true, "GE T", "/"))),
                row("two methods", "", p -> all(p.headers(1, true, ":method", "GET", ":method", "GET"))),
                row("an unknown pseudo-header", "", p -> all(p.headers(1, true, ":method", "GET", ":foo", "x"))),
                row(
                        "extended CONNECT, CVE-2026-93568",
                        "",
                        p -> all(p.request(1, false, "CONNECT", "/", ":protocol", "websocket"))),
                row(
                        "a response's pseudo-header",
                        "",
                        p -> all(p.headers(
                                1,
                                true,
                                ":method",
                                "GET",
                                ":status",
                                "200",
                                ":scheme",
                                "http",
                                ":path",
                                "/",
                                ":authority",
                                "a"))),
                row(
                        "a pseudo-header after a field",
                        "",
                        p -> all(p.headers(1, true, ":method", "GET", "a", "b", ":scheme", "http", ":path", "/"))),
                row(
                        "userinfo",
                        "",
                        p -> all(p.headers(
                                1, true, ":method", "GET", ":scheme", "http", ":path", "/", ":authority", "a@b"))),
                row("no host", "", p -> all(p.headers(1, true, ":method", "GET", ":scheme", "http", ":path", "/"))),
                row("two hosts", "", p -> all(p.get(1, "/", "host", "example.com", "host", "example.com"))),
                row(
                        "an invalid authority",
                        "",
                        p -> all(p.headers(
                                1, true, ":method", "GET", ":scheme", "http", ":path", "/", ":authority", "a/b"))),
                row(
                        "an invalid host",
                        "",
                        p -> all(p.headers(
                                1, true, ":method", "GET", ":scheme", "http", ":path", "/", "host", "a:b:c"))),
                row(
                        "a fragment after the authority",
                        "",
                        p -> all(p.headers(
                                1, true, ":method", "GET", ":scheme", "http", ":path", "/", ":authority", "a#b"))),
                row("a tab in the path", "", p -> all(p.get(1, "/a\tb"))),
                row(
                        "a line feed in the scheme",
                        "",
                        p -> all(p.headers(
                                1,
                                true,
                                ":method",
                                "GET",
                                ":scheme",
                                "http\r\nx: y",
                                ":path",
                                "/",
                                ":authority",
                                "a"))),
                row(
                        "CONNECT without a port",
                        "",
                        p -> all(p.headers(1, false, ":method", "CONNECT", ":authority", "example.com"))),
                row(
                        "CONNECT without an authority",
                        "",
                        p -> all(p.headers(1, false, ":method", "CONNECT", "host", "example.com:80"))),
                row(
                        "CONNECT with a scheme",
                        "",
                        p -> all(p.headers(
                                1, false, ":method", "CONNECT", ":authority", "example.com:80", ":scheme", "http"))),
                row(
                        "CONNECT with a path alone",
                        "",
                        p -> all(p.headers(
                                1, false, ":method", "CONNECT", ":authority", "example.com:80", ":path", "/"))),
                row("the same length twice", "", p -> all(p.get(1, "/", "content-length", "0", "content-length", "0"))),
                row("another host, CVE-2026-59900", "", p -> all(p.get(1, "/", "host", "evil.example"))),
                row("CONNECT with a path", "", p -> all(p.request(1, true, "CONNECT", "/"))),
                row("an upper-case name", "", p -> all(p.get(1, "/", "X-A", "1"))),
                row("an empty name", "", p -> all(p.get(1, "/", "", "1"))),
                row("a colon in a name", "", p -> all(p.get(1, "/", "a:b", "1"))),
                row("a line feed in a value, CVE-2026-93579", "", p -> all(p.get(1, "/", "a", "1\nb: 2"))),
                row("NUL in a value", "", p -> all(p.get(1, "/", "a", "\0"))),
                row("a blank at a value's end", "", p -> all(p.get(1, "/", "a", "1 "))),
                row("connection", "", p -> all(p.get(1, "/", "connection", "close"))),
                row("proxy-connection", "", p -> all(p.get(1, "/", "proxy-connection", "close"))),
                row("keep-alive", "", p -> all(p.get(1, "/", "keep-alive", "timeout=5"))),
                row("transfer-encoding", "", p -> all(p.get(1, "/", "transfer-encoding", "chunked"))),
                row("upgrade", "", p -> all(p.get(1, "/", "upgrade", "websocket"))),
                row("te", "", p -> all(p.get(1, "/", "te", "gzip"))),
                row("a non-numeric length, CVE-2021-21295", "", p -> all(p.get(1, "/", "content-length", "+1"))),
                row("two lengths", "", p -> all(p.get(1, "/", "content-length", "0", "content-length", "1"))),
                row("less content than its length, CVE-2021-21409", "", p -> all(p.get(1, "/", "content-length", "1"))),
                row(
                        "less DATA than its length",
                        "",
                        p -> all(p.request(1, false, "POST", "/", "content-length", "2"), data(1, true, "x"))),
                row(
                        "DATA although its length is 0",
                        "",
                        p -> all(p.request(1, false, "POST", "/", "content-length", "0"), data(1, false, "x"))),
                row(
                        "more DATA than its length",
                        "",
                        p -> all(p.request(1, false, "POST", "/", "content-length", "1"), data(1, false, "xx"))),
                row(
                        "trailers that do not end",
                        "",
                        p -> all(p.request(1, false, "POST", "/"), p.headers(1, false, "a", "b"))),
                row(
                        "a pseudo-header in trailers",
                        "",
                        p -> all(p.request(1, false, "POST", "/"), p.headers(1, true, ":path", "/"))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("streamErrors")
    void shouldResetTheStreamAloneForAMalformedMessage(
            String what, String unused, Function<FramePeer, byte[][]> frames) {
        peer.send(frames.apply(peer));
        assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), peer.lines());
        log.channels.forEach(stream -> assertFalse(stream.isOpen()));

        peer.send(peer.get(3, "/"));

        assertTrue(log.last().isOpen());
        assertTrue(peer.channel.isOpen());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1", "PRI * HTTP/2.0\r\n\r\nSM\r\n\rX"})
    void shouldEndAConnectionWithoutTheHttp2Preface(String first) {
        FramePeer other = new FramePeer(new Http2ServerHandler(log::pipeline));

        other.send(first.getBytes(US_ASCII));

        List<String> lines = other.lines();
        assertEquals("GOAWAY 0 PROTOCOL_ERROR", lines.get(lines.size() - 1));
        assertFalse(other.channel.isOpen());
    }

    @Test
    void shouldEndAConnectionWhoseFirstFrameIsNotSettings() {
        FramePeer other = new FramePeer(new Http2ServerHandler(log::pipeline));

        other.send(Http2ServerHandler.PREFACE, frame(PING, 0, 0, new byte[8]));

        List<String> lines = other.lines();
        assertEquals("GOAWAY 0 PROTOCOL_ERROR", lines.get(lines.size() - 1));
    }

    /** Only a client may allow pushes. */
    @Test
    void shouldEndAConnectionWhoseServerEnablesPushes() {
        FramePeer server = FramePeer.server(new Http2ClientHandler());
        server.send(setting(2, 0));
        assertEquals(List.of("SETTINGS ACK"), server.lines());
        server.send(setting(2, 1));
        assertEquals(List.of("GOAWAY 0 PROTOCOL_ERROR"), server.lines());
    }
}
