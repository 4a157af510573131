package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.CONTINUATION;
import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.END_HEADERS;
import static org.freshet.handler.codec.http2.FramePeer.END_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.HEADERS;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.freshet.channel.CloseReason;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.api.Test;

/** A peer has ten seconds for a head, as with HTTP/1.1, however it is split. */
class Http2HeadDeadlineTest {
    private final FakeTimer timer = new FakeTimer();
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = client(Http2Timeouts.defaults());
    private final int timeouts = timer.pendingTimeouts();

    private FramePeer client(Http2Timeouts times) {
        return FramePeer.client(new Http2ServerHandler(
                log::pipeline,
                Http2Settings.defaults().toBuilder()
                        .timer(timer)
                        .timeouts(times.withIdle(Duration.ZERO))
                        .build()));
    }

    private byte[] head() {
        return peer.block(":method", "GET", ":scheme", "http", ":authority", "example.com", ":path", "/");
    }

    private void assertLate() {
        assertFalse(peer.channel.isOpen());
        assertEquals(List.of("GOAWAY 0 ENHANCE_YOUR_CALM"), peer.lines());
        assertEquals(CloseReason.Kind.TIMED_OUT, peer.channel.getCloseReason().kind());
        String message = peer.channel.takeCaught().get(0).getMessage();
        assertTrue(message.contains("head was not complete within 10000 ms"), message);
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldEndAConnectionWhoseHeadIsNotContinued() {
        peer.send(frame(HEADERS, END_STREAM, 1, head()));
        timer.advanceMillis(9_999);
        assertTrue(peer.channel.isOpen());

        timer.advanceMillis(1);

        assertLate();
    }

    @Test
    void shouldEndAConnectionWhoseHeadIsContinuedSlowly() {
        peer.send(frame(HEADERS, END_STREAM, 1, head()));
        for (int i = 0; i < 4; i++) {
            timer.advanceMillis(2_500);
            peer.send(frame(CONTINUATION, 0, 1, new byte[] {0x00, 0x01, 'a', 0x00}));
        }

        assertLate();
    }

    @Test
    void shouldEndAConnectionWhoseFrameArrivesSlowly() {
        byte[] frame = frame(HEADERS, END_STREAM | END_HEADERS, 1, head());
        for (int i = 0; i < 11; i++) {
            peer.send(Arrays.copyOfRange(frame, i, i + 1));
            timer.advanceMillis(i < 9 ? 0 : 5_000);
        }

        assertLate();
    }

    @Test
    void shouldTimeEachHeadSeparately() {
        for (int id = 1; id < 9; id += 2) {
            byte[] head = head();
            peer.send(frame(HEADERS, END_STREAM, id, Arrays.copyOf(head, 3)));
            timer.advanceMillis(9_000);
            peer.send(frame(CONTINUATION, END_HEADERS, id, Arrays.copyOfRange(head, 3, head.length)));
        }

        assertEquals(4, log.channels.size());
        assertEquals(timeouts, timer.pendingTimeouts());
    }

    @Test
    void shouldNotMistakeContentForAHead() {
        peer.send(peer.request(1, false, "POST", "/"));
        peer.send(Arrays.copyOf(frame(DATA, 0, 1, new byte[100]), 50));

        timer.advanceMillis(1_000_000);

        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldNotTimeOutIfZero() {
        FramePeer patient = client(Http2Timeouts.defaults().withHead(Duration.ZERO));
        patient.send(frame(HEADERS, END_STREAM, 1, new byte[] {(byte) 0x82}));

        timer.advanceMillis(1_000_000);

        assertTrue(patient.channel.isOpen());
    }
}
