package org.freshet.internal.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.CloseReason.Kind;
import org.junit.jupiter.api.Test;

class WriteStallTest {
    private static final int LIMIT_MILLIS = 1000;

    private final Object first = "first";
    private final Object second = "second";
    private final WriteStall stall = new WriteStall(first, 0, nanos(0));

    private static long nanos(int millis) {
        return Long.MAX_VALUE
                - TimeUnit.MILLISECONDS.toNanos(500)
                + TimeUnit.MILLISECONDS.toNanos(millis); // wraps around
    }

    private boolean isOver(Object head, long sent, int millis) {
        return stall.isOver(LIMIT_MILLIS, head, sent, nanos(millis));
    }

    @Test
    void shouldExpireWhenNothingWasSentForTheTime() {
        assertFalse(isOver(first, 0, 999));
        assertTrue(isOver(first, 0, 1000));
    }

    @Test
    void shouldRestartWithEachByteAndEachMessage() {
        assertFalse(isOver(first, 1, 999));
        assertFalse(isOver(second, 1, 1998));
        assertFalse(isOver(second, 1, 2997));
        assertTrue(isOver(second, 1, 2998));
    }

    @Test
    void shouldCheckFourTimesWithinTheLimitAndNeverWithoutAPause() {
        assertEquals(250, WriteStall.intervalMillis(LIMIT_MILLIS));
        assertEquals(1, WriteStall.intervalMillis(1));
    }

    @Test
    void shouldNameTheLimitThatWasExceeded() {
        assertEquals(Kind.TIMED_OUT, WriteStall.reason(1000, 70).kind());
        assertEquals(
                "the peer has accepted no data for 1000 ms (writeStallTimeoutMillis) while 70 bytes waited to be sent",
                WriteStall.reason(1000, 70).detail());
    }
}
