package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Failures that a peer can cause at will are logged as a burst of lines, then at a limited rate. */
class PeerFaultLogTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1); // a clock may overflow
    private final PeerFaultLog log = new PeerFaultLog(nanos::get);

    @Test
    void shouldOmitLinesBeyondABurstAndReportHowMany() {
        for (int i = 0; i < PeerFaultLog.BURST_LINES; i++) {
            assertEquals(0, log.admit());
        }
        assertEquals(-1, log.admit());
        assertEquals(-1, log.admit());
        nanos.addAndGet(PeerFaultLog.LINE_NANOS);
        assertEquals(2, log.admit());
        assertEquals(-1, log.admit());
        assertEquals(" (2 more not logged)", PeerFaultLog.describe(2));
        assertEquals("", PeerFaultLog.describe(0));
    }

    @Test
    void shouldAllowAnotherBurstAfterAQuietPeriod() {
        while (log.admit() >= 0) {}
        nanos.addAndGet(PeerFaultLog.BURST_LINES * PeerFaultLog.LINE_NANOS);
        assertEquals(1, log.admit());
        for (int i = 1; i < PeerFaultLog.BURST_LINES; i++) {
            assertEquals(0, log.admit());
        }
        assertEquals(-1, log.admit());
    }
}
