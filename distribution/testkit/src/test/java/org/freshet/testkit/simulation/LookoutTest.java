package org.freshet.testkit.simulation;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Which threads of a simulation count as stuck. */
class LookoutTest {
    private static final int TIMEOUT_SECONDS = 60;

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isOver;
    private final AtomicInteger steps = new AtomicInteger();

    private String lookAt(Runnable task) throws InterruptedException {
        Thread thread = new Thread(
                () -> {
                    while (!isOver) {
                        task.run();
                    }
                },
                "looked-at");
        thread.start();
        try {
            return new Lookout(ended, steps::get, () -> thread, 1).awaitEnd(TIMEOUT_SECONDS);
        } finally {
            isOver = true;
            LockSupport.unpark(thread);
            thread.join();
        }
    }

    @Test
    void shouldNoticeAThreadThatBlocks() throws InterruptedException {
        String wrong = lookAt(() -> LockSupport.park(this));
        assertTrue(wrong.startsWith("a handler or task blocks"), wrong);
    }

    @Test
    void shouldNoticeAThreadThatDoesNotReturn() throws InterruptedException {
        String wrong = lookAt(Thread::onSpinWait);
        assertTrue(wrong.startsWith("a handler or task has not returned"), wrong);
    }

    @Test
    void shouldNotDisturbAThreadThatMakesSteps() throws InterruptedException {
        int enough = 20_000_000;
        assertNull(lookAt(() -> {
            if (steps.getAndIncrement() == enough) {
                ended.countDown();
            }
        }));
    }
}
