package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AcceptBackoffTest {
    private final AcceptBackoff backoff = new AcceptBackoff();

    @Test
    void shouldDoubleFromFiveMillisecondsToOneSecond() {
        int[] expected = {5, 10, 20, 40, 80, 160, 320, 640, 1000, 1000};
        for (int millis : expected) {
            assertEquals(millis, backoff.nextMillis());
        }
    }

    @Test
    void shouldStartAnewAfterASuccess() {
        backoff.nextMillis();
        backoff.nextMillis();
        backoff.onAccepted();
        assertEquals(5, backoff.nextMillis());
    }

    @Test
    void shouldBeNewsOnceUntilNoConnectionWaits() {
        assertTrue(backoff.isNews());
        backoff.onAnnounced();
        backoff.onAccepted();
        assertFalse(backoff.isNews());
        backoff.nextMillis();
        backoff.onNoneWaiting();
        assertTrue(backoff.isNews());
        assertEquals(5, backoff.nextMillis());
    }
}
