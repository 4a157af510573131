package org.freshet.handler.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.CloseReason;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.HttpErrorResponder;
import org.freshet.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.TextWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocket00FrameDecoder;
import org.freshet.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import org.freshet.handler.codec.http.websocketx.WebSocketFrameAggregator;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolDecoder;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolSettings;
import org.freshet.handler.codec.socks.SocksCmdRequestDecoder;
import org.freshet.handler.codec.spdy.DefaultSpdyDataFrame;
import org.freshet.handler.codec.spdy.DefaultSpdySettingsFrame;
import org.freshet.handler.codec.spdy.SpdyDataFrame;
import org.freshet.handler.codec.spdy.SpdySessionHandler;
import org.freshet.handler.codec.spdy.SpdySettingsFrame;
import org.freshet.handler.codec.spdy.SpdyVersion;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every handler that closes because of bad input from the peer gives a reason. */
class CloseReasonOfBadInputTest {
    /** Handlers, their input, and the expected text of the reason besides its kind. */
    private record Case(
            String name, Supplier<ChannelHandler[]> handlers, List<Object> input, Kind kind, String contained) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Case protocol(String name, Supplier<ChannelHandler[]> handlers, String contained, Object... input) {
        return new Case(name, handlers, List.of(input), Kind.PROTOCOL, contained);
    }

    private static ChannelHandler[] of(ChannelHandler... handlers) {
        return handlers;
    }

    private static Object bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, ISO_8859_1);
    }

    private static ChannelHandler[] httpServer() {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxContentLength(10).build();
        return of(new HttpServerCodec(limits), new HttpErrorResponder());
    }

    private static ChannelHandler[] webSocketServer() {
        return of(new HttpServerCodec(), new WebSocketServerProtocolHandler("/chat"));
    }

    private static Stream<Case> cases() {
        return Stream.of(http(), webSocket(), spdy(), others()).flatMap(part -> part);
    }

    private static Stream<Case> http() {
        String post = "POST / HTTP/1.1\r\nHost: a\r\n";
        return Stream.of(
                protocol(
                        "HTTP, a malformed head",
                        CloseReasonOfBadInputTest::httpServer,
                        "MalformedHttpMessageException",
                        bytes("GET / HTTP/1.1\r\nHost : a\r\n\r\n")),
                protocol(
                        "HTTP, too much content",
                        CloseReasonOfBadInputTest::httpServer,
                        "TooLong",
                        bytes(post + "Content-Length: 11\r\n\r\n")),
                protocol(
                        "HTTP, an unknown transfer coding",
                        CloseReasonOfBadInputTest::httpServer,
                        "transfer coding",
                        bytes(post + "Transfer-Encoding: gzip, chunked\r\n\r\n")),
                protocol(
                        "HTTP, an answer without a request",
                        () -> of(new HttpClientCodec()),
                        "a response without a request",
                        bytes("HTTP/1.1 200 OK\r\n\r\n")));
    }

    private static Stream<Case> webSocket() {
        String upgrade = "GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
        return Stream.of(
                protocol(
                        "WebSocket, a frame without a mask",
                        () -> of(new WebSocket13FrameDecoder(true, false)),
                        "WebSocketFrameException",
                        bytes("\u0081\0")),
                protocol(
                        "WebSocket 00, too long",
                        () -> of(new WebSocket00FrameDecoder(1)),
                        "TooLongWebSocketFrameException",
                        bytes("\0xy\u00ff")),
                protocol(
                        "WebSocket, a continuation without a start",
                        () -> of(new WebSocketFrameAggregator(9)),
                        "continuation frame outside",
                        new ContinuationWebSocketFrame(true, 0, "x")),
                protocol(
                        "WebSocket, a message too long",
                        () -> of(new WebSocketFrameAggregator(1)),
                        "TooLongWebSocketFrameException",
                        new TextWebSocketFrame(false, 0, "x"),
                        new ContinuationWebSocketFrame(true, 0, "y")),
                protocol(
                        "WebSocket, no key",
                        CloseReasonOfBadInputTest::webSocketServer,
                        "it has no key",
                        bytes(upgrade + "Sec-WebSocket-Version: 13\r\n\r\n")),
                protocol(
                        "WebSocket, an unknown version",
                        CloseReasonOfBadInputTest::webSocketServer,
                        "version",
                        bytes(upgrade
                                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 99\r\n\r\n")));
    }

    private static Stream<Case> spdy() {
        SpdySettingsFrame settings = new DefaultSpdySettingsFrame();
        settings.setValue(SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE, -1);
        SpdyDataFrame data = new DefaultSpdyDataFrame(1);
        data.setData(ChannelBuffers.wrappedBuffer(new byte[64 * 1024 + 1]));
        return Stream.of(
                protocol(
                        "SPDY, a window too large", CloseReasonOfBadInputTest::spdySession, "initial window", settings),
                protocol(
                        "SPDY, more than the window",
                        CloseReasonOfBadInputTest::spdySession,
                        "session's window",
                        data));
    }

    private static ChannelHandler[] spdySession() {
        return of(new SpdySessionHandler(SpdyVersion.SPDY_3_1, true));
    }

    private static Stream<Case> others() {
        return Stream.of(
                protocol(
                        "HTTP/2, a different preface",
                        () -> of(new Http2ServerHandler(() -> {
                            throw new AssertionError("no stream");
                        })),
                        "Http2Exception",
                        bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n")),
                protocol(
                        "PROXY protocol, no header",
                        () -> of(new ProxyProtocolDecoder(ProxyProtocolSettings.trusting("127.0.0.0/8"))),
                        "CorruptedFrameException",
                        bytes("GET / HTTP/1.1\r\n")),
                protocol(
                        "SOCKS, a name without letters",
                        () -> of(new SocksCmdRequestDecoder()),
                        "CorruptedFrameException",
                        bytes("\5\1\0\3\0\0\0")));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldGiveTheReason(Case bad) {
        MemoryChannel channel = MemoryChannel.connected(bad.handlers.get());
        bad.input.forEach(channel::receive);
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel)); // for a close that is delayed
        assertFalse(channel.isOpen());
        CloseReason reason = channel.getCloseReason();
        assertEquals(bad.kind, reason.kind(), reason::toString);
        assertTrue(reason.toString().contains(bad.contained), reason::toString);
    }
}
