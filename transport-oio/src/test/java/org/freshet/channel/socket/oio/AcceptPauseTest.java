package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class AcceptPauseTest {
    private final AcceptPause pause = new AcceptPause();

    @Test
    void shouldDoubleUpToASecondAndBeginAnewAfterASuccess() {
        List<Integer> pauses = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            pauses.add(pause.nextMillis());
        }
        assertEquals(List.of(5, 10, 20, 40, 80, 160, 320, 640, 1000, 1000), pauses);
        pause.reset();
        assertEquals(5, pause.nextMillis());
    }

    @Test
    void shouldTakeFailuresBetweenSuccessesForOneShortage() {
        long now = Long.MAX_VALUE - TimeUnit.MINUTES.toNanos(1); // nanoTime may overflow
        assertTrue(pause.isNews(now));
        for (int i = 0; i < 200; i++) {
            pause.reset();
            now += TimeUnit.SECONDS.toNanos(1);
            assertFalse(pause.isNews(now));
        }
        now += TimeUnit.SECONDS.toNanos(61);
        assertTrue(pause.isNews(now));
    }

    @Test
    void shouldEndAPauseThatIsNotWantedAnyMore() {
        AtomicBoolean wanted = new AtomicBoolean();
        Thread.currentThread().interrupt();
        pause.await(wanted::get);
        assertTrue(Thread.interrupted());
    }
}
