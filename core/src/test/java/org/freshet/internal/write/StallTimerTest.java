package org.freshet.internal.write;

import java.util.concurrent.CountDownLatch;
import org.freshet.testing.Await;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

class StallTimerTest {
    /** A queue whose head is never sent. */
    private static final class StuckQueue implements StallTimer.Queue {
        final Object head = new Object();
        final Scarcity scarcity;
        final CountDownLatch stalled = new CountDownLatch(1);

        StuckQueue(Scarcity scarcity) {
            this.scarcity = scarcity;
        }

        @Override
        public Object head() {
            scarcity.step();
            return head;
        }

        @Override
        public long sentBytes() {
            return 0;
        }

        @Override
        public int stallMillis() {
            return 50;
        }

        @Override
        public void onStalled(int stallMillis) {
            scarcity.step();
            stalled.countDown();
        }
    }

    @Test
    void shouldDetectAStallEvenIfACheckRunsOutOfMemory() {
        for (int point = 1; point < 4; point++) {
            StuckQueue queue = new StuckQueue(new Scarcity(point));
            new StallTimer(queue).onQueued();
            Await.latch(queue.stalled, "the stall");
        }
    }
}
