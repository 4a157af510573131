package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.END_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.api.Test;

/** Complete requests that a server's handlers have not read in full: how long their streams stay. */
class Http2AnsweredUnreadTest {
    private static final int PIECE = 16 * 1024;

    /** The connection's window. */
    private static final int WINDOW = 1024 * 1024;

    private final StreamLog log = new StreamLog();
    private final FakeTimer timer = new FakeTimer();
    private final Http2ServerHandler handler = new Http2ServerHandler(
            log::pipeline,
            Http2Settings.defaults().toBuilder()
                    .timer(timer)
                    .timeouts(Http2Timeouts.defaults().withIdle(Duration.ZERO))
                    .maxUnreadBytes(0)
                    .abuseLimits(Http2AbuseLimits.none())
                    .build());
    private final FramePeer peer = FramePeer.client(handler);
    private int outstanding;

    Http2AnsweredUnreadTest() {
        log.reaction = (channel, message) -> {
            if (message instanceof HttpRequest) {
                channel.setReadable(false);
            }
        };
    }

    /** A request whose pieces, including the last one, wait for a handler. */
    private Channel ask(int streamId, int pieces) {
        peer.send(peer.request(streamId, false, "POST", "/"));
        for (int i = 1; i <= pieces; i++) {
            peer.send(frame(DATA, i == pieces ? END_STREAM : 0, streamId, new byte[PIECE]));
            outstanding += PIECE;
        }
        return log.last();
    }

    private void answer(Channel channel) {
        channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    }

    private void assertWindowIsBack(int most) {
        for (String line : peer.lines()) {
            outstanding -= line.matches("WINDOW_UPDATE \\d+") ? Integer.parseInt(line.split(" ")[1]) : 0;
        }
        assertTrue(outstanding <= most, "octets that were not restored: " + outstanding);
    }

    // ---- reset ----

    @Test
    void shouldEndWhenTheClientResetsThem() {
        Channel channel = ask(1, 4);
        log.take();

        peer.send(reset(1, Http2Error.CANCEL));

        assertFalse(channel.isOpen());
        assertEquals(List.of("1 disconnected", "1 unbound", "1 closed"), log.take());
        assertEquals(CloseReason.Kind.PEER_RESET, channel.getCloseReason().kind());
    }

    @Test
    void shouldGiveTheWindowBackWhenTheClientResetsThem() {
        for (int id = 1; id < 400; id += 2) {
            ask(id, 16);
            peer.send(reset(id, Http2Error.CANCEL));
            assertWindowIsBack(WINDOW / 2);
        }

        assertEquals(List.of(), peer.channel.takeCaught());
    }

    // ---- answered ----

    @Test
    void shouldEndWhenHandlersReadNothingForTheWriteStallTimeout() {
        Channel channel = ask(1, 4);
        answer(channel);
        timer.advanceMillis(30_000);
        assertTrue(channel.isOpen());

        timer.advanceMillis(15_000);

        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldAllowAHandlerToCloseOneWhenAnotherOneEnds() {
        Channel first = ask(1, 4);
        answer(first);
        Channel second = ask(3, 4);
        answer(second);
        first.getCloseFuture().addListener(closed -> second.close());
        timer.advanceMillis(45_000);
        assertFalse(first.isOpen() || second.isOpen());
        assertEquals(CloseReason.Kind.TIMED_OUT, first.getCloseReason().kind());
        assertEquals(CloseReason.Kind.LOCAL, second.getCloseReason().kind());
        assertTrue(peer.channel.isOpen());
        Channel third = ask(5, 4);
        answer(third);
        timer.advanceMillis(45_000);
        assertFalse(third.isOpen(), "the checks go on");
    }

    @Test
    void shouldStayWhileHandlersRead() {
        Channel channel = ask(1, 10);
        answer(channel);
        log.reaction = (stream, message) -> stream.setReadable(false);
        for (int i = 0; i < 9; i++) {
            timer.advanceMillis(20_000);
            channel.setReadable(true);
        }
        assertTrue(channel.isOpen());
        log.take();

        channel.setReadable(true);
        channel.setReadable(true);

        assertFalse(channel.isOpen());
        assertEquals(CloseReason.COMPLETED, channel.getCloseReason());
    }

    @Test
    void shouldNotExceedTheStreamLimitOfTheClient() {
        for (int i = 0; i < 1_000; i++) {
            int id = 2 * i + 1;
            peer.send(peer.request(id, false, "POST", "/"), data(id, true, "content"));
            answer(log.last());
        }

        assertEquals(100, log.channels.stream().filter(Channel::isOpen).count());
        assertTrue(log.last().isOpen(), "the oldest are dropped");
        assertEquals(List.of(), peer.channel.takeCaught());
    }

    @Test
    void shouldNotWithholdTheConnectionsWindow() {
        for (int i = 0; i < 3; i++) {
            answer(ask(2 * i + 1, 16));
        }
        Channel reading = ask(7, 0);
        reading.setReadable(true);
        for (int i = 0; i < 64; i++) {
            peer.send(frame(DATA, 0, 7, new byte[PIECE]));
            outstanding += PIECE;
        }

        assertEquals(List.of(), peer.channel.takeCaught());
        assertWindowIsBack(WINDOW - PIECE);
        assertTrue(reading.isOpen());
    }

    @Test
    void shouldKeepADrainedConnectionOpenUntilTheyAreRead() {
        Channel channel = ask(1, 4);
        answer(channel);
        handler.drain();
        assertTrue(peer.channel.isOpen());
        log.take();

        channel.setReadable(true);

        assertEquals(
                4, log.take().stream().filter(line -> line.contains("chunk")).count());
        assertFalse(peer.channel.isOpen());
    }

    @Test
    void shouldEndWithTheConnection() {
        Channel channel = ask(1, 4);
        answer(channel);

        peer.channel.close();

        assertFalse(channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldEndWhenAHandlerClosesThem() {
        Channel channel = ask(1, 4);
        answer(channel);

        channel.close();

        assertFalse(channel.isOpen());
        assertWindowIsBack(WINDOW / 2);
    }

    @Test
    void shouldCountTheirFieldsWhileTheyStay() {
        Channel channel = ask(1, 4);
        answer(channel);
        assertTrue(handler.connection().streams().fieldOctets() > 0);

        channel.close();

        assertEquals(0, handler.connection().streams().fieldOctets());
    }

    @Test
    void shouldMakeRoomForTheFieldsOfNewRequests() {
        String[] fields = {"x-a", "v".repeat(12_000)};
        for (int i = 0; i < 150; i++) {
            int id = 2 * i + 1;
            peer.send(peer.request(id, false, "POST", "/", fields), data(id, true, "content"));
            answer(log.last());
        }

        assertTrue(peer.lines().stream().noneMatch(line -> line.contains("RST_STREAM")));
        assertTrue(log.last().isOpen());
    }

    /** Whatever stream it is for. */
    @Test
    void shouldMakeRoomForTheContentOfOthers() {
        Channel answered = ask(1, 4);
        answer(answered);
        int sent = 4 * PIECE;
        for (int id = 3; sent <= WINDOW / 2; id += 2) {
            assertTrue(answered.isOpen(), "after " + sent + " octets");
            peer.send(peer.request(id, false, "POST", "/"));
            for (int i = 0; i < 8; i++) {
                peer.send(frame(DATA, 0, id, new byte[PIECE]));
                sent += PIECE;
            }
        }
        assertFalse(answered.isOpen());
        assertTrue(log.last().isOpen());
    }
}
