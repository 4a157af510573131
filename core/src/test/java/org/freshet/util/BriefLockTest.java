package org.freshet.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BriefLockTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 50_000;

    private final BriefLock lock = new BriefLock();

    /** Guarded by {@code lock}. */
    private int count;

    @Test
    void shouldAdmitOneThreadAtATime() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(THREADS);
        for (int i = 0; i < THREADS; i++) {
            new Thread(() -> countUp(done), "counter " + i).start();
        }
        assertTrue(done.await(30, TimeUnit.SECONDS), "all threads got the lock each time");
        lock.lock();
        assertEquals(THREADS * ROUNDS, count);
        lock.unlock();
    }

    private void countUp(CountDownLatch done) {
        for (int i = 0; i < ROUNDS; i++) {
            lock.lock();
            count++;
            lock.unlock();
        }
        done.countDown();
    }

    @Test
    void shouldWaitEvenWhenInterrupted() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        lock.lock();
        Thread waiter = new Thread(() -> {
            Thread.currentThread().interrupt();
            lock.lock();
            count++;
            lock.unlock();
            entered.countDown();
        });
        waiter.start();
        while (waiter.getState() == Thread.State.NEW) {
            Thread.onSpinWait();
        }
        assertEquals(0, count);
        lock.unlock();
        assertTrue(entered.await(10, TimeUnit.SECONDS), "the waiter got the lock");
        assertEquals(1, count);
    }
}
