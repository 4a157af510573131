package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A peer that causes failures at will gets a burst of lines, then some in a second. */
class PeerFaultLogTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1); // a clock may overflow
    private final PeerFaultLog log = new PeerFaultLog(nanos::get);

    @Test
    void shouldLeaveOutWhatExceedsABurstAndSayHowMuch() {
        for (int i = 0; i < PeerFaultLog.BURST_LINES; i++) {
            assertEquals(0, log.admit());
        }
        assertEquals(-1, log.admit());
        assertEquals(-1, log.admit());
        nanos.addAndGet(PeerFaultLog.LINE_NANOS);
        assertEquals(2, log.admit());
        assertEquals(-1, log.admit());
    }

    @Test
    void shouldAllowABurstAgainAfterAQuietTime() {
        while (log.admit() >= 0) {}
        nanos.addAndGet(PeerFaultLog.BURST_LINES * PeerFaultLog.LINE_NANOS);
        assertEquals(1, log.admit());
        for (int i = 1; i < PeerFaultLog.BURST_LINES; i++) {
            assertEquals(0, log.admit());
        }
        assertEquals(-1, log.admit());
    }
}
