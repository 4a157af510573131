package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.CONTINUATION;
import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.END_HEADERS;
import static org.freshet.handler.codec.http2.FramePeer.END_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.HEADERS;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.PRIORITY;
import static org.freshet.handler.codec.http2.FramePeer.PRIORITY_UPDATE;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.ints;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.freshet.telemetry.Explain;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;

/** Frames that are legal one by one but an attack in volume. */
class Http2AbuseTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

    private void assertCalmed(String reason) {
        List<String> lines = peer.lines();
        assertTrue(lines.get(lines.size() - 1).matches("GOAWAY \\d+ ENHANCE_YOUR_CALM"), lines.toString());
        assertFalse(peer.channel.isOpen(), "the connection is closed");
        List<Throwable> caught = peer.channel.takeCaught();
        assertEquals(1, caught.size(), caught.toString());
        assertTrue(caught.get(0).getMessage().contains(reason), caught.get(0).getMessage());
        log.channels.forEach(stream -> assertFalse(stream.isOpen()));
    }

    private void assertUnharmed() {
        assertTrue(peer.channel.isOpen(), () -> peer.channel.takeCaught().toString());
        assertEquals(List.of(), peer.channel.takeCaught());
    }

    /** CVE-2023-44487. */
    @Test
    void shouldBoundRequestsThatAreResetAtOnce() {
        int id = 1;
        for (int i = 0; i < 200; i++, id += 2) {
            peer.send(peer.get(id, "/"), reset(id, Http2Error.CANCEL));
        }
        assertUnharmed();

        for (int i = 0; i < 100 && peer.channel.isOpen(); i++, id += 2) {
            peer.send(peer.get(id, "/"), reset(id, Http2Error.CANCEL));
        }

        assertCalmed("requests reset early or refused");
    }

    /** Like Go clients whose request is answered before they have sent all of it. */
    @Test
    void shouldNotCountResetsOfRequestsThatAreAnswered() {
        log.reaction = (channel, message) ->
                channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        for (int i = 0; i < 1_000; i++) {
            int id = 2 * i + 1;
            peer.send(peer.request(id, false, "POST", "/"), reset(id, Http2Error.NO_ERROR));
        }

        assertUnharmed();
        assertEquals(1_000, log.channels.size());
    }

    @Test
    void shouldBoundResetsOfRequestsWithIncompleteAnswers() {
        log.reaction = (channel, message) -> {
            DefaultHttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.setChunked(true);
            channel.write(response);
        };
        for (int i = 0; i < 400 && peer.channel.isOpen(); i++) {
            int id = 2 * i + 1;
            peer.send(peer.request(id, false, "POST", "/"), reset(id, Http2Error.CANCEL));
        }

        assertCalmed("requests reset early or refused");
    }

    /**
     * CVE-2025-8671: anything that makes the server reset a stream counts as a reset, and most of it ends the
     * connection.
     */
    @Test
    void shouldBoundRequestsThatMakeUsResetThem() {
        for (int i = 0; i < 400 && peer.channel.isOpen(); i++) {
            peer.send(peer.get(2 * i + 1, "/", "Upper", "1"));
        }

        assertCalmed("requests reset early or refused");
        assertEquals(List.of(), log.channels);
    }

    @Test
    void shouldBoundWindowsThatMakeUsResetStreams() {
        for (int i = 0; i < 400 && peer.channel.isOpen(); i++) {
            peer.send(peer.get(2 * i + 1, "/"), windowUpdate(2 * i + 1, Integer.MAX_VALUE));
        }

        assertCalmed("requests reset early or refused");
    }

    @Test
    void shouldNotCountStreamsThatHandlersReset() {
        log.reaction = (channel, message) -> channel.close();
        for (int i = 0; i < 1_000; i++) {
            peer.send(peer.get(2 * i + 1, "/"));
        }

        assertUnharmed();
    }

    /** CVE-2026-93488 and others: the limit is enforced, not only advertised, even before it is acknowledged. */
    @Test
    void shouldRefuseMoreStreamsThanItTakes() {
        for (int i = 0; i < 101; i++) {
            peer.send(peer.get(2 * i + 1, "/"));
        }
        assertEquals(List.of("RST_STREAM 201 REFUSED_STREAM"), peer.lines());
        assertEquals(100, log.channels.size());

        log.channels.get(0).write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        peer.send(peer.get(203, "/"));

        assertEquals(101, log.channels.size());
    }

    @Test
    void shouldBoundContinuations() {
        byte[] block = peer.block(":method", "GET");
        peer.send(frame(HEADERS, END_STREAM, 1, block));
        for (int i = 0; i < 8; i++) {
            peer.send(frame(CONTINUATION, 0, 1, new byte[] {0x00, 0x01, 'a', 0x00}));
        }
        assertUnharmed();

        peer.send(frame(CONTINUATION, END_HEADERS, 1));

        assertCalmed("CONTINUATION");
    }

    @Test
    void shouldRefuseEmptyContinuations() {
        peer.send(frame(HEADERS, END_STREAM, 1), frame(CONTINUATION, 0, 1));

        assertCalmed("empty CONTINUATION frame");
    }

    @Test
    void shouldBoundTheLengthOfABlock() {
        peer.send(frame(HEADERS, END_STREAM, 1, new byte[16_384]));
        for (int i = 0; i < 4 && peer.channel.isOpen(); i++) {
            peer.send(frame(CONTINUATION, 0, 1, new byte[16_384]));
        }

        assertCalmed("65536");
    }

    /** CVE-2016-6581 and CVE-2026-49975: few octets that name a large field many times. */
    @Test
    void shouldEndTheConnectionForFieldsFarBeyondTheLimit() {
        byte[] first = peer.block(":method", "GET", ":scheme", "http", ":path", "/", "x-large", "v".repeat(3000));
        byte[] bomb = Arrays.copyOf(first, first.length + 1000);
        Arrays.fill(bomb, first.length, bomb.length, (byte) 0xbe);

        peer.send(frame(HEADERS, END_HEADERS | END_STREAM, 1, bomb));

        assertCalmed("far exceed the limit");
    }

    @Test
    void shouldAnswerFieldsBeyondTheLimitWithoutAHandler() {
        peer.send(peer.get(1, "/", "x-a", "v".repeat(3000), "x-b", "w".repeat(9000), "x-c", "x".repeat(6000)));

        assertEquals(List.of("HEADERS 1 :status=431 content-length=0 END"), peer.lines());
        assertEquals(List.of(), log.channels);
        assertUnharmed();
        peer.send(peer.get(3, "/"));
        assertEquals(1, log.channels.size());
        String explained = Await.result(Explain.channel(peer.channel), "the explanation");
        assertTrue(explained.contains("requests refused before a handler got them: 1\n"), explained);
    }

    /** CVE-2026-49975: many requests with many fields, whose answers are held back by windows. */
    @Test
    void shouldRefuseRequestsWhoseFieldsAreTooMuchTogether() {
        String[] fields = new String[2 * 190];
        for (int i = 0; i < fields.length; i += 2) {
            fields[i] = "x-field";
            fields[i + 1] = "a value that takes up some room in memory";
        }
        int size = 190 * (7 + 41 + 32) + (7 + 3 + 32) + (7 + 4 + 32) + (10 + 11 + 32) + (5 + 1 + 32);
        int most = AbuseGuard.MAX_OPEN_FIELDS / size;

        for (int i = 0; i <= most; i++) {
            peer.send(peer.get(2 * i + 1, "/", fields));
        }

        assertEquals(List.of("RST_STREAM " + (2 * most + 1) + " REFUSED_STREAM"), peer.lines());
        assertEquals(most, log.channels.size());
        log.channels.get(0).write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        peer.send(peer.get(2 * most + 3, "/", fields));
        assertEquals(most + 1, log.channels.size(), "an answered request holds nothing");
        assertUnharmed();
    }

    @Test
    void shouldCountFieldsAndCookiesApart() {
        String[] cookies = new String[2 * 100];
        for (int i = 0; i < cookies.length; i += 2) {
            cookies[i] = "cookie";
            cookies[i + 1] = "c" + i + "=1";
        }
        peer.send(peer.get(1, "/", cookies));
        assertEquals(1, log.channels.size());
        String[] one = Arrays.copyOf(cookies, cookies.length + 2);
        one[cookies.length] = "cookie";
        one[cookies.length + 1] = "more=1";

        peer.send(peer.get(3, "/", one));

        assertEquals(List.of("HEADERS 3 :status=431 content-length=0 END"), peer.lines());
    }

    /** CVE-2019-9512. */
    @Test
    void shouldBoundPings() {
        for (int i = 0; i < 10_000; i++) {
            peer.send(frame(PING, 0, 0, new byte[8]));
        }
        assertUnharmed();
        for (int i = 0; i < 5_000 && peer.channel.isOpen(); i++) {
            peer.send(frame(PING, 0, 0, new byte[8]));
        }

        assertCalmed("too many PING frames");
    }

    private FramePeer clientOfTwoPings() {
        Http2AbuseLimits two = Http2AbuseLimits.defaults().withPings(new Http2AbuseLimits.Rate(2, 0));
        return FramePeer.client(new Http2ServerHandler(
                log::pipeline,
                Http2Settings.defaults().toBuilder().abuseLimits(two).build()));
    }

    private Channel downloadOf(FramePeer client) {
        client.send(client.get(1, "/"));
        DefaultHttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setChunked(true);
        log.last().write(response);
        return log.last();
    }

    private static DefaultHttpChunk piece() {
        return new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[1]));
    }

    /** grpc-go sends one per round trip for as long as it receives DATA. */
    @Test
    void shouldAcceptAPingAfterEachDataItSends() {
        FramePeer client = clientOfTwoPings();
        Channel stream = downloadOf(client);

        for (int i = 0; i < 1_000; i++) {
            stream.write(piece());
            client.send(frame(PING, 0, 0, new byte[8]));
        }

        assertTrue(client.channel.isOpen(), () -> client.channel.takeCaught().toString());
    }

    @Test
    void shouldAcceptOnePingHoweverMuchDataItHasSent() {
        FramePeer client = clientOfTwoPings();
        Channel stream = downloadOf(client);
        for (int i = 0; i < 10; i++) {
            stream.write(piece());
        }

        for (int i = 0; i < 3; i++) {
            client.send(frame(PING, 0, 0, new byte[8]));
        }
        assertTrue(client.channel.isOpen(), () -> client.channel.takeCaught().toString());
        client.send(frame(PING, 0, 0, new byte[8]));

        assertFalse(client.channel.isOpen());
        assertTrue(client.channel.takeCaught().get(0).getMessage().contains("too many PING frames"));
    }

    @Test
    void shouldBoundUnreadAnswersToPingsThatFollowData() {
        FramePeer client = clientOfTwoPings();
        Channel stream = downloadOf(client);
        client.channel.holdWrites();

        for (int i = 0; i < 10_000 && stream.isOpen(); i++) {
            stream.write(piece());
            client.send(frame(PING, 0, 0, new byte[8]));
        }

        assertFalse(stream.isOpen(), "its answers wait forever");
    }

    /** CVE-2019-9515. */
    @Test
    void shouldBoundSettings() {
        for (int i = 0; i < 200 && peer.channel.isOpen(); i++) {
            peer.send(frame(SETTINGS, 0, 0));
        }

        assertCalmed("too many SETTINGS frames");
    }

    /**
     * CVE-2026-78669: each change affects the windows of all streams, which are limited, too. The settings of one frame
     * count together.
     */
    @Test
    void shouldBoundChangesOfTheWindowsOfManyStreams() {
        for (int i = 0; i < 100; i++) {
            peer.send(peer.get(2 * i + 1, "/"));
        }
        assertUnharmed();
        int sent = 0;
        while (sent < 200 && peer.channel.isOpen()) {
            peer.send(FramePeer.setting(PeerSettings.INITIAL_WINDOW_SIZE, sent++ % 2 * 1000));
        }

        assertCalmed("too many SETTINGS frames");
        assertTrue(sent <= 102, () -> "changes of 100 windows");
    }

    @Test
    void shouldBoundSettingsInAFrame() {
        peer.send(frame(SETTINGS, 0, 0, new byte[33 * 6]));

        assertCalmed("settings in a frame");
    }

    @Test
    void shouldBoundAnswersThatThePeerDoesNotRead() {
        peer.channel.holdWrites();
        for (int i = 0; i < 10_000 && peer.channel.isOpen(); i++) {
            peer.send(frame(PING, 0, 0, new byte[8]));
        }

        List<Throwable> caught = peer.channel.takeCaught();
        assertTrue(caught.get(0).getMessage().contains("does not read"), caught.toString());
    }

    @Test
    void shouldAnswerAllAcceptedPingsOfARead() {
        byte[][] pings = new byte[3_000][];
        Arrays.fill(pings, frame(PING, 0, 0, new byte[8]));

        peer.send(pings);

        assertUnharmed();
        assertEquals(3_000, peer.lines().size());
    }

    /**
     * A client that rejects what is announced provokes one RST_STREAM after another; after GOAWAY it gets no more
     * answers.
     */
    @Test
    void shouldNotAnswerRequestsAfterItsGoAway() {
        Http2ServerHandler server = new Http2ServerHandler(log::pipeline);
        FramePeer client = FramePeer.client(server);
        client.send(client.get(1, "/"));
        server.drain();
        assertEquals(List.of("GOAWAY 1 NO_ERROR"), client.lines());

        for (int i = 3; i < 20_003; i += 2) {
            client.send(client.request(i, false, "POST", "/"), data(i, false, "x"), client.headers(i, true, "a", "b"));
        }

        assertEquals(List.of(), client.lines());
        assertEquals(1, log.channels.size());
        log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        assertEquals(List.of("HEADERS 1 :status=200 END"), client.lines());
        assertFalse(client.channel.isOpen());
    }

    /** A client's GOAWAY concerns streams opened by the server. */
    @Test
    void shouldServeAClientThatHasSentGoAway() {
        peer.send(peer.get(1, "/"), frame(FramePeer.GOAWAY, 0, 0, new byte[8]), peer.get(3, "/"));

        assertEquals(2, log.channels.size());
        log.channels.forEach(
                stream -> stream.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK)));
        assertEquals(
                List.of("HEADERS 1 :status=200 END", "HEADERS 3 :status=200 END", "GOAWAY 3 NO_ERROR"), peer.lines());
        assertFalse(peer.channel.isOpen(), "it has nothing more to send");
    }

    /** Each answer is short, and its stream has ended before the answer is sent. */
    @Test
    void shouldRefuseRequestsWhileHeadsOfAnswersPileUp() {
        log.reaction = (channel, message) -> {
            DefaultHttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.headers().set("X-Large", "v" + log.channels.size() + "w".repeat(10_000));
            channel.write(response);
        };
        peer.channel.holdWrites();
        int id = 1;
        for (; id < 2_000 && peer.channel.isOpen(); id += 2) {
            peer.send(peer.get(id, "/"));
        }

        assertTrue(log.channels.size() < 70, "answers of 10,000 octets: " + log.channels.size());
        assertTrue(peer.channel.takeCaught().get(0).getMessage().contains("refused"));
    }

    /** CVE-2019-9518. */
    @Test
    void shouldBoundEmptyData() {
        peer.send(peer.request(1, false, "POST", "/"));
        for (int i = 0; i < 10_000; i++) {
            peer.send(data(1, false, ""));
        }
        assertUnharmed();
        for (int i = 0; i < 5_000 && peer.channel.isOpen(); i++) {
            peer.send(data(1, false, ""));
        }

        assertCalmed("carry nothing");
    }

    @Test
    void shouldBoundFramesOfUnknownTypes() {
        for (int i = 0; i < 15_000 && peer.channel.isOpen(); i++) {
            peer.send(frame(0xef, 0, 0));
        }

        assertCalmed("carry nothing");
    }

    @Test
    void shouldBoundWindowUpdatesForUnsentData() {
        for (int i = 0; i < 15_000 && peer.channel.isOpen(); i++) {
            peer.send(windowUpdate(0, 1));
        }

        assertCalmed("carry nothing");
    }

    /** Chat, events and gRPC send messages of a few octets for as long as they want. */
    @Test
    void shouldAcceptAsMuchSmallDataAsItReads() {
        peer.send(peer.request(1, false, "POST", "/"));
        for (int i = 0; i < 100_000; i++) {
            peer.send(data(1, false, "x"));
        }

        assertUnharmed();
        assertEquals(100_001, log.messages.size());
    }

    @Test
    void shouldStoreUnreadSmallDataInFewPieces() {
        peer.send(peer.request(1, false, "POST", "/"));
        log.last().setReadable(false);
        log.take();
        for (int i = 0; i < 100_000; i++) {
            peer.send(data(1, false, "x"));
        }

        log.last().setReadable(true);

        List<String> pieces = log.take();
        assertTrue(pieces.size() < 10, pieces.toString());
        assertEquals("1 chunk 16384", pieces.get(1));
    }

    @Test
    void shouldApplyOtherLimits() {
        FramePeer client = clientOfTwoPings();
        client.send(frame(PING, 0, 0, new byte[8]), frame(PING, 0, 0, new byte[8]));
        assertTrue(client.channel.isOpen());

        client.send(frame(PING, 0, 0, new byte[8]));

        assertFalse(client.channel.isOpen());
        assertTrue(client.channel
                .takeCaught()
                .get(0)
                .getMessage()
                .contains("too many PING frames: the limit is a burst of 2 and 0 per second"));
    }

    @Test
    void shouldBoundPriorities() {
        for (int i = 0; i < 1_500; i++) {
            peer.send(frame(PRIORITY, 0, 1, new byte[] {0, 0, 0, 3, 16}), frame(PRIORITY_UPDATE, 0, 0, ints(1)));
        }
        for (int i = 0; i < 20_000 && peer.channel.isOpen(); i++) {
            peer.send(frame(PRIORITY, 0, 1, new byte[] {0, 0, 0, 3, 16}));
        }

        assertCalmed("PRIORITY");
    }

    /** CVE-2023-45802: a stream that is reset holds nothing. */
    @Test
    void shouldForgetAStreamThatIsReset() {
        peer.send(peer.request(1, false, "POST", "/", "content-length", "8000"), data(1, false, "x".repeat(4000)));
        Channel stream = log.last();

        peer.send(reset(1, Http2Error.CANCEL));

        assertFalse(stream.isOpen());
        assertEquals(
                List.of("1 open", "1 bound", "1 connected", "1 disconnected", "1 unbound", "1 closed"), log.take());
    }

    @Test
    void shouldGiveBackTheWindowOfStreamsThatAreGone() {
        peer.send(peer.request(1, false, "POST", "/"));
        log.last().close();
        peer.lines();
        for (int i = 0; i < 80; i++) {
            peer.send(frame(DATA, 0, 1, new byte[16_000]));
        }

        assertUnharmed();
        assertEquals(List.of("WINDOW_UPDATE 528000", "WINDOW_UPDATE 528000"), peer.lines());
    }

    @Test
    void shouldUseNoMoreOfATableThanItsOwnLimit() {
        peer.send(FramePeer.setting(0x1, -1));
        peer.lines();
        peer.send(peer.get(1, "/"));
        DefaultHttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setContent(ChannelBuffers.EMPTY_BUFFER);
        response.headers().set("X-Large", "v".repeat(HpackEncoder.MAX_TABLE_SIZE));

        log.last().write(response);

        assertTrue(peer.lines().get(0).startsWith("HEADERS 1 :status=200 x-large="));
    }
}
