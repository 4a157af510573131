package org.freshet.internal.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.testing.Await;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

/** A task that a thread has taken runs once, whatever the thread meets before it. */
class SpareThreadsTest {
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();

    private void task() {
        runs.incrementAndGet();
        done.countDown();
    }

    /** A thread whose code throws before it runs the pool's work, as the JDK's may without memory. */
    private static Thread dying(Runnable work, Scarcity scarcity) {
        Thread thread = new Thread(() -> {
            scarcity.step();
            work.run();
        });
        thread.setUncaughtExceptionHandler((dead, injected) -> {});
        thread.setDaemon(true);
        return thread;
    }

    @Test
    void shouldRunATaskWhoseThreadDiedBeforeIt() {
        Scarcity scarcity = new Scarcity(0);
        SpareThreads threads = new SpareThreads(work -> dying(work, scarcity));
        assertTrue(threads.tryExecute(this::task));
        Await.latch(done, "the task");
        assertTrue(scarcity.wasReached());
    }

    @Test
    void shouldRunATaskOnce() {
        SpareThreads threads = new SpareThreads(work -> dying(work, new Scarcity(1)));
        assertTrue(threads.tryExecute(this::task));
        Await.latch(done, "the task");
        assertEquals(1, runs.get());
    }

    @Test
    void shouldRefuseATaskWithoutAThread() {
        SpareThreads threads = new SpareThreads(work -> {
            throw new OutOfMemoryError("injected by a test");
        });
        assertFalse(threads.tryExecute(this::task));
        assertEquals(0, runs.get());
    }
}
