package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;

class AcceptPauseTest {
    private static final long AN_HOUR_MILLIS = 3_600_000;

    @Test
    void shouldNotBeginAnUnwantedPause() {
        Thread.currentThread().interrupt();
        AcceptPause.await(AN_HOUR_MILLIS, () -> false);
        assertTrue(Thread.interrupted());
    }

    @Test
    void shouldEndAPauseNoLongerWantedButNotOnAnInterrupt() {
        AtomicBoolean wanted = new AtomicBoolean(true);
        Thread server = new Thread(() -> AcceptPause.await(AN_HOUR_MILLIS, wanted::get));
        server.start();
        server.interrupt();
        Await.until(() -> !server.isInterrupted() && server.getState() == Thread.State.TIMED_WAITING, "the pause");
        assertTrue(server.isAlive());
        wanted.set(false);
        LockSupport.unpark(server);
        Await.end(server);
        assertFalse(server.isAlive());
    }
}
