package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks that arrive after a pool's shutdown, while another thread does the same or stops the pool. */
class LateEventsTest {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    /** What another thread does between two steps of the pool. Runs once. */
    private Runnable meanwhile = () -> {};

    private final Pool pool = new Pool(task -> {
        meet();
        threads.add(new Thread(task));
        return threads.get(threads.size() - 1);
    });

    private final class Pool extends MemoryAwareThreadPoolExecutor {
        private boolean meetsBeforeItsThreads;

        Pool(ThreadFactory factory) {
            super(1, 0, 0, 10, TimeUnit.SECONDS, factory);
        }

        /** Called for the number of threads for late tasks. */
        @Override
        public int getCorePoolSize() {
            if (meetsBeforeItsThreads) {
                meet();
            }
            return super.getCorePoolSize();
        }
    }

    private void meet() {
        Runnable action = meanwhile;
        meanwhile = () -> {};
        action.run();
    }

    @AfterEach
    void end() {
        gate.countDown();
        threads.forEach(Await::end);
        assertTrue(pool.isTerminated());
    }

    @Test
    void shouldShareTheThreadsForLateTasksWithTheCallerThatCreatedThemFirst() {
        pool.shutdown();
        pool.meetsBeforeItsThreads = true;
        meanwhile = () -> pool.execute(() -> Await.latch(gate, "the end of the test"));
        Runnable second = () -> {};
        pool.execute(second);
        assertEquals(1, threads.size(), "no more than the pool may have");
        assertEquals(List.of(second), pool.shutdownNow());
    }

    @Test
    void shouldNotRefuseALateTaskThatRunsAlthoughThePoolWasStopped() {
        CountDownLatch ran = new CountDownLatch(1);
        pool.shutdown();
        meanwhile = () -> assertEquals(List.of(), pool.shutdownNow());
        pool.execute(ran::countDown);
        Await.latch(ran, "the task");
    }
}
