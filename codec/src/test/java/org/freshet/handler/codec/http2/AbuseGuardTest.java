package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.freshet.handler.codec.http2.Http2AbuseLimits.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What each budget counts, and what is free, with budgets of one frame. */
class AbuseGuardTest {
    private static final Rate ONE = new Rate(1, 0);

    private long nanos;

    private AbuseGuard guard = guard(new Http2AbuseLimits(ONE, ONE, ONE, ONE, ONE), 100);

    private AbuseGuard guard(Http2AbuseLimits limits, int maxStreams) {
        return new AbuseGuard(() -> nanos, limits, maxStreams);
    }

    private static void isTooMuch(String reason, Executable call) {
        Http2Exception failure = assertThrows(Http2Exception.class, call);
        assertEquals(Http2Error.ENHANCE_YOUR_CALM, failure.error());
        assertTrue(failure.getMessage().contains(reason), failure.getMessage());
    }

    private void emptyFramesAreUsedUp() {
        isTooMuch("frames that carry nothing", guard::onUnknownFrame);
    }

    @Test
    void shouldCountEachKindByItself() throws Exception {
        guard.onSettings(1);
        isTooMuch("SETTINGS frames: the limit is a burst of 1 and 0 per second", () -> guard.onSettings(1));
        guard.onPriority();
        isTooMuch("PRIORITY and PRIORITY_UPDATE frames", guard::onPriority);
        guard.onPing();
        isTooMuch("PING frames", guard::onPing);
        guard.onResetProvoked();
        isTooMuch("requests reset early or refused", guard::onResetProvoked);
        guard.onUnknownFrame();
        emptyFramesAreUsedUp();
    }

    @Test
    void shouldCountEachFrameThatCarriesNothing() throws Exception {
        guard.onData(0, true);
        guard.onData(1, false);
        guard.onData(0, false);
        emptyFramesAreUsedUp();
        isTooMuch("frames that carry nothing", () -> guard.onData(0, false));
        isTooMuch("frames that carry nothing", guard::onGoAway);
        isTooMuch("frames that carry nothing", guard::onUnexpectedAck);
        isTooMuch("frames that carry nothing", guard::onWindowUpdate);
        isTooMuch("frames that carry nothing", guard::onLateFrame);
    }

    @Test
    void shouldExpectTwoWindowUpdatesForAFrameAndOnePer256Octets() throws Exception {
        guard.onDataSent(512);
        for (int i = 0; i < 2 + 2; i++) {
            guard.onWindowUpdate();
        }
        guard.onDataSent(255);
        guard.onWindowUpdate();
        guard.onWindowUpdate();
        guard.onWindowUpdate();
        isTooMuch("frames that carry nothing", guard::onWindowUpdate);
    }

    @Test
    void shouldExpectTwoLateFramesPerStream() throws Exception {
        guard.onStreamOpened();
        guard.onStreamOpened();
        for (int i = 0; i < 4; i++) {
            guard.onLateFrame();
        }
        guard.onLateFrame();
        isTooMuch("frames that carry nothing", guard::onLateFrame);
    }

    @Test
    void shouldExpectOnePingAfterData() throws Exception {
        guard.onPing();
        guard.onDataSent(1);
        guard.onDataSent(1);
        guard.onPing();
        isTooMuch("PING frames", guard::onPing);
    }

    @Test
    void shouldCountResetsOnlyWithinASecondOfTheRequest() throws Exception {
        nanos = TimeUnit.SECONDS.toNanos(10);
        int opened = guard.period();
        nanos = TimeUnit.MILLISECONDS.toNanos(11_001);
        guard.onResetByPeer(opened);
        guard.onResetByPeer(opened);
        nanos = TimeUnit.MILLISECONDS.toNanos(10_998);
        guard.onResetByPeer(opened);
        isTooMuch("requests reset early or refused", () -> guard.onResetByPeer(opened));
    }

    @Test
    void shouldCountTimeEvenIfTheClockIsNegative() throws Exception {
        nanos = -TimeUnit.MILLISECONDS.toNanos(500);
        int opened = guard.period();
        nanos = TimeUnit.MILLISECONDS.toNanos(499);
        guard.onResetByPeer(opened);
        isTooMuch("requests reset early or refused", () -> guard.onResetByPeer(opened));
    }

    @Test
    void shouldBoundFieldBlocks() throws Exception {
        guard.onFieldBlock(AbuseGuard.MAX_FIELD_BLOCK, AbuseGuard.MAX_CONTINUATIONS, 1, false);
        guard.onFieldBlock(10, 1, 0, true);
        guard.onFieldBlock(0, 0, 0, false);
        isTooMuch("more than 8 CONTINUATION frames", () -> guard.onFieldBlock(10, 9, 1, true));
        isTooMuch("field block of more than 65536 octets", () -> guard.onFieldBlock(65_537, 0, 1, true));
        isTooMuch("empty CONTINUATION frame", () -> guard.onFieldBlock(10, 1, 0, false));
    }

    @Test
    void shouldBoundTheSettingsOfAFrame() throws Exception {
        guard.onSettings(32);
        isTooMuch("more than 32 settings in a frame", () -> guard.onSettings(33));
    }

    @Test
    void shouldBoundUnreadAnswersByTheNumberOfStreams() throws Exception {
        guard.onControlQueued(65_536);
        isTooMuch("more than 65536 octets are waiting", () -> guard.onControlQueued(65_537));
        guard = guard(Http2AbuseLimits.none(), 10_000);
        guard.onControlQueued(320_000);
        isTooMuch("more than 320000 octets are waiting", () -> guard.onControlQueued(320_001));
    }

    @Test
    void shouldChangeOneLimitAtATime() {
        Http2AbuseLimits none = Http2AbuseLimits.none();
        assertEquals(
                new Http2AbuseLimits(new Rate(1, 2), new Rate(3, 4), new Rate(5, 6), new Rate(7, 8), new Rate(9, 10)),
                none.withResets(new Rate(1, 2))
                        .withPings(new Rate(3, 4))
                        .withSettings(new Rate(5, 6))
                        .withPriorities(new Rate(7, 8))
                        .withEmptyFrames(new Rate(9, 10)));
        assertEquals(none, none.withResets(Rate.UNLIMITED));
        assertThrows(NullPointerException.class, () -> none.withResets(null));
        assertThrows(IllegalArgumentException.class, () -> new Rate(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new Rate(1, -1));
    }
}
