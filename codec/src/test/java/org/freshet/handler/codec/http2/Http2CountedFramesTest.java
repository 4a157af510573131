package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.CONTINUATION;
import static org.freshet.handler.codec.http2.FramePeer.END_HEADERS;
import static org.freshet.handler.codec.http2.FramePeer.GOAWAY;
import static org.freshet.handler.codec.http2.FramePeer.HEADERS;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.PRIORITY;
import static org.freshet.handler.codec.http2.FramePeer.PRIORITY_UPDATE;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.ints;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.freshet.channel.Channel;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http2.Http2AbuseLimits.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which limit each frame of a client counts against: on this connection, each allows one. */
class Http2CountedFramesTest {
    private static final Rate ONE = new Rate(1, 0);
    private static final Rate AND_THE_FIRST = new Rate(2, 0);

    private static final String EMPTY = "too many frames that carry nothing";
    private static final String RESETS = "too many requests reset early or refused";

    private final StreamLog log = new StreamLog();
    private final FramePeer peer = client(new Http2AbuseLimits(ONE, ONE, AND_THE_FIRST, ONE, ONE));

    private FramePeer client(Http2AbuseLimits limits) {
        return FramePeer.client(new Http2ServerHandler(
                log::pipeline,
                Http2Settings.defaults().toBuilder()
                        .maxConcurrentStreams(2)
                        .maxHeaderListSize(1000)
                        .abuseLimits(limits)
                        .nanoClock(() -> 0)
                        .build()));
    }

    /** @param frames the last of them is one too many */
    private static Arguments row(String what, String limit, Function<FramePeer, byte[][]> frames) {
        return Arguments.of(what, limit, frames);
    }

    private static byte[][] all(byte[]... frames) {
        return frames;
    }

    static Stream<Arguments> counted() {
        byte[] priority = {0, 0, 0, 7, 16};
        byte[] ping = frame(PING, 0, 0, new byte[8]);
        byte[] unknown = frame(0x20, 0, 0);
        byte[] goAway = frame(GOAWAY, 0, 0, ints(0, 0));
        byte[] pingAck = frame(PING, ACK, 0, new byte[8]);
        return Stream.of(
                row("SETTINGS", "too many SETTINGS frames", p -> all(setting(0x4, 1), setting(0x4, 2))),
                row("PING", "too many PING frames", p -> all(ping, ping)),
                row(
                        "PRIORITY and PRIORITY_UPDATE",
                        "too many PRIORITY and PRIORITY_UPDATE frames",
                        p -> all(frame(PRIORITY, 0, 1, priority), frame(PRIORITY_UPDATE, 0, 0, ints(1)))),
                row("unknown types", EMPTY, p -> all(unknown, unknown)),
                row("GOAWAY", EMPTY, p -> all(unknown, goAway)),
                row("WINDOW_UPDATE", EMPTY, p -> all(unknown, windowUpdate(0, 1))),
                row("SETTINGS ACK of nothing", EMPTY, p -> all(unknown, frame(SETTINGS, ACK, 0))),
                row("PING ACK of nothing", EMPTY, p -> all(unknown, pingAck)),
                row("empty DATA", EMPTY, p -> all(unknown, p.request(1, false, "POST", "/"), data(1, false, ""))),
                row("a request that is reset", RESETS, p -> all(p.get(1, "/"), cancel(1), p.get(3, "/"), cancel(3))),
                row("a malformed request", RESETS, p -> all(p.get(1, "/", "A", "1"), p.get(3, "/", "A", "1"))),
                row(
                        "malformed trailers",
                        RESETS,
                        p -> all(
                                p.get(1, "/", "A", "1"),
                                p.request(3, false, "POST", "/"),
                                p.headers(3, false, "a", "1"))),
                row(
                        "too much content",
                        RESETS,
                        p -> all(
                                p.get(1, "/", "A", "1"),
                                p.request(3, false, "POST", "/", "content-length", "1"),
                                data(3, false, "12"))),
                row(
                        "too little content",
                        RESETS,
                        p -> all(p.get(1, "/", "A", "1"), p.get(3, "/", "content-length", "1"))),
                row(
                        "too large a window",
                        RESETS,
                        p -> all(p.get(1, "/", "A", "1"), p.get(3, "/"), windowUpdate(3, Integer.MAX_VALUE))),
                row("too many streams", RESETS, p -> all(p.get(1, "/"), p.get(3, "/"), p.get(5, "/"), p.get(7, "/"))),
                row("too many fields", RESETS, p -> all(long431(p, 1), long431(p, 3))),
                row(
                        "far too many fields",
                        "header fields far exceed the limit of 1000 octets",
                        p -> all(unknown, p.get(1, "/", "a", "x".repeat(4000)))),
                row(
                        "too many trailers",
                        RESETS,
                        p -> all(
                                p.get(1, "/", "A", "1"),
                                p.request(3, false, "POST", "/"),
                                p.headers(3, true, "a", "x".repeat(1000)))),
                row(
                        "resets of a stream that is gone",
                        EMPTY,
                        p -> all(unknown, p.get(1, "/"), cancel(1), cancel(1), cancel(1), cancel(1))),
                row(
                        "trailers of a stream that is gone",
                        EMPTY,
                        p -> all(unknown, p.get(1, "/", "A", "1"), trailers(p), trailers(p), trailers(p))));
    }

    private static byte[] cancel(int id) {
        return reset(id, Http2Error.CANCEL);
    }

    private static byte[] long431(FramePeer p, int id) {
        return p.get(id, "/", "a", "x".repeat(1000));
    }

    private static byte[] trailers(FramePeer p) {
        return p.headers(1, true, "a", "1");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("counted")
    void shouldAllowOneOfThem(String what, String limit, Function<FramePeer, byte[][]> frames) {
        byte[][] all = frames.apply(peer);
        peer.send(Arrays.copyOf(all, all.length - 1));
        assertEquals(List.of(), peer.channel.takeCaught());
        assertTrue(peer.channel.isOpen());
        peer.lines();
        peer.send(all[all.length - 1]);
        List<String> lines = peer.lines();
        assertTrue(lines.get(lines.size() - 1).matches("GOAWAY \\d ENHANCE_YOUR_CALM"), lines.toString());
        String message = peer.channel.takeCaught().get(0).getMessage();
        assertTrue(message.startsWith(limit), message);
        assertFalse(peer.channel.isOpen());
    }

    /** A server may send trailers and a reset before it knows that its client has reset the stream. */
    @Test
    void shouldNotCountWhatAServerSendsOnAStreamThatItsClientHasReset() {
        FramePeer server = FramePeer.server(new Http2ClientHandler(Http2Settings.defaults().toBuilder()
                .abuseLimits(new Http2AbuseLimits(ONE, ONE, AND_THE_FIRST, ONE, ONE))
                .nanoClock(() -> 0)
                .build()));
        for (int id = 1; id < 6; id += 2) {
            server.ask(log.pipeline()).close();
            server.send(server.headers(id, true, ":status", "200"), cancel(id));
        }
        assertEquals(List.of(), server.channel.takeCaught());
        server.send(cancel(1), cancel(1));
        assertEquals(1, server.channel.takeCaught().size());
    }

    /** A client needn't send the rest of a request that is answered. */
    @Test
    void shouldNotCountResetsAfterTheAnswer() {
        for (int id = 1; id < 8; id += 2) {
            peer.send(peer.request(id, false, "POST", "/"));
            log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            peer.send(reset(id, Http2Error.NO_ERROR));
        }
        assertTrue(peer.channel.isOpen());
    }

    // ---- field blocks ----

    private static void refusesOneOctetMore(FramePeer peer, byte[]... frames) {
        for (byte[] frame : frames) {
            assertTrue(peer.channel.isOpen());
            peer.send(frame);
        }
        String message = peer.channel.takeCaught().get(0).getMessage();
        assertEquals("field block of more than 65536 octets", message);
    }

    @Test
    void shouldBoundABlock() {
        byte[] quarter = new byte[16 * 1024];
        refusesOneOctetMore(
                peer,
                frame(HEADERS, 0, 1, quarter),
                frame(CONTINUATION, 0, 1, quarter),
                frame(CONTINUATION, 0, 1, quarter),
                frame(CONTINUATION, 0, 1, quarter),
                frame(CONTINUATION, 0, 1, new byte[1]));
        FramePeer ofLongFrames = FramePeer.client(new Http2ServerHandler(
                log::pipeline,
                Http2Settings.defaults().toBuilder().maxFrameSize(100_000).build()));
        refusesOneOctetMore(ofLongFrames, frame(HEADERS, END_HEADERS, 1, new byte[64 * 1024 + 1]));
    }

    // ---- answers that wait ----

    private static byte[] pings(int count) {
        byte[] one = frame(PING, 0, 0, new byte[8]);
        byte[] all = new byte[count * one.length];
        for (int i = 0; i < count; i++) {
            System.arraycopy(one, 0, all, i * one.length, one.length);
        }
        return all;
    }

    @Test
    void shouldBoundTheAnswersThatTheClientDoesNotRead() {
        FramePeer busy = client(Http2AbuseLimits.none());
        busy.channel.holdWrites();
        int most = 64 * 1024 / 17;
        busy.send(pings(most));
        busy.send(windowUpdate(0, 1));
        assertTrue(busy.channel.isOpen());
        assertEquals(List.of(), busy.channel.takeCaught());
        busy.send(pings(1));
        busy.send(windowUpdate(0, 1));
        assertEquals(1, busy.channel.takeCaught().size());
        busy.channel.close();
    }

    @Test
    void shouldNotBoundTheAnswersThatTheClientReads() {
        FramePeer busy = client(Http2AbuseLimits.none());
        for (int i = 0; i < 3; i++) {
            busy.send(pings(3_000));
        }
        assertEquals(9_000, busy.frames().size());
        assertTrue(busy.channel.isOpen());
    }

    /** It's the client that opens streams, so their resets are no flood. */
    @Test
    void shouldNotCountTheStreamsOfAClientThatItsServerResets() {
        FramePeer server = FramePeer.server(new Http2ClientHandler(Http2Settings.defaults().toBuilder()
                .abuseLimits(Http2AbuseLimits.none().withResets(ONE))
                .nanoClock(() -> 0)
                .build()));
        for (int id = 1; id < 7; id += 2) {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
            request.setChunked(true);
            Channel stream = Http2ClientConnection.of(server.channel)
                    .open(log.pipeline())
                    .getChannel();
            stream.write(request);
            server.send(reset(id, Http2Error.CANCEL));
            assertFalse(stream.isOpen());
        }
        assertTrue(server.channel.isOpen());
    }
}
