package org.freshet.internal.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;

class CoalescedTaskTest {
    private final AtomicInteger rounds = new AtomicInteger();

    @Test
    void shouldRunAgainInsteadOfRecursing() {
        AtomicInteger depth = new AtomicInteger();
        CoalescedTask[] self = new CoalescedTask[1];
        self[0] = new CoalescedTask(() -> {
            assertEquals(1, depth.incrementAndGet());
            if (rounds.incrementAndGet() < 5) {
                self[0].request();
            }
            depth.decrementAndGet();
        });
        self[0].request();
        assertEquals(5, rounds.get());
    }

    @Test
    void shouldRunAgainAfterItThrew() {
        CoalescedTask task = new CoalescedTask(() -> {
            if (rounds.incrementAndGet() == 1) {
                throw new IllegalStateException("the first time");
            }
        });
        assertThrows(IllegalStateException.class, task::request);
        task.request();
        assertEquals(2, rounds.get());
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAny(Throwable cause) throws T {
        throw (T) cause;
    }

    @Test
    void shouldThrowACheckedExceptionAsItIs() {
        CoalescedTask task = new CoalescedTask(
                () -> CoalescedTaskTest.<RuntimeException>throwAny(new IOException("thrown undeclared")));
        assertThrows(IOException.class, task::request);
    }

    @Test
    void shouldServeTheRequestsOfManyThreadsOneAtATime() {
        int perThread = 100_000;
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        AtomicBoolean atWork = new AtomicBoolean();
        AtomicBoolean overlapped = new AtomicBoolean();
        CoalescedTask task = new CoalescedTask(() -> {
            if (!atWork.compareAndSet(false, true)) {
                overlapped.set(true);
            }
            seen.set(asked.get());
            atWork.set(false);
        });
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> {
                for (int j = 0; j < perThread; j++) {
                    asked.incrementAndGet();
                    task.request();
                }
            }));
        }
        threads.forEach(Thread::start);
        threads.forEach(Await::end);
        assertFalse(overlapped.get());
        assertEquals(4 * perThread, seen.get());
    }
}
