package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.testing.CapturedLog;
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
    void shouldWriteNoStackTraceAndNothingThatIsOmitted() {
        IOException cause = new IOException("for this test");
        try (CapturedLog captured = CapturedLog.start()) {
            for (int i = 0; i < PeerFaultLog.BURST_LINES + 3; i++) {
                log.write("what happened", cause);
            }
            assertEquals(PeerFaultLog.BURST_LINES, captured.messages().size());
            nanos.addAndGet(PeerFaultLog.LINE_NANOS);
            log.write("what happened", cause);
            List<CapturedLog.Message> lines = captured.messages();
            assertEquals("what happened: " + cause, lines.get(0).text());
            assertNull(lines.get(0).cause());
            assertEquals(
                    "what happened: " + cause + " (3 more not logged)",
                    lines.get(PeerFaultLog.BURST_LINES).text());
        }
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
