package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;

/** The life of one key's queue, from its first task to its last. */
class SerialTaskQueueTest {
    private final Queue queue = new Queue();
    private final List<String> ran = new ArrayList<>();

    private final class Queue extends SerialTaskQueue {
        private int scheduled;
        private int retired;
        private RuntimeException refusal;
        private final List<Runnable> lost = new ArrayList<>();

        @Override
        void schedule() {
            scheduled++;
            if (refusal != null) {
                offer(task("accepted before it is refused"));
                throw refusal;
            }
        }

        @Override
        void runTask(Runnable task) {
            task.run();
        }

        @Override
        void onRetired() {
            retired++;
        }

        @Override
        void onLost(List<Runnable> tasks, Throwable cause) {
            assertSame(refusal, cause);
            lost.addAll(tasks);
        }
    }

    private Runnable task(String name) {
        return () -> ran.add(name);
    }

    @Test
    void shouldBeScheduledOnceForAllTasksUntilItHasRunThem() {
        assertTrue(queue.offer(task("1")));
        assertTrue(queue.offer(() -> {
            ran.add("2");
            assertTrue(queue.offer(task("3")));
        }));
        assertEquals(1, queue.scheduled);
        assertEquals(2, queue.waiting());
        queue.run();
        assertEquals(List.of("1", "2", "3"), ran);
        assertEquals(1, queue.scheduled);
        assertEquals(1, queue.retired);
    }

    @Test
    void shouldAcceptNothingOnceItHasRetired() {
        queue.offer(task("1"));
        queue.run();
        assertFalse(queue.offer(task("late")));
        assertEquals(0, queue.waiting());
        assertEquals(1, queue.scheduled);
    }

    @Test
    void shouldGiveUpTheTasksThatWaitAndRunNoneOfThem() {
        Runnable first = task("1");
        Runnable second = task("2");
        queue.offer(first);
        queue.offer(second);
        assertSame(first, queue.oldest());
        assertEquals(List.of(first, second), queue.retire());
        assertEquals(1, queue.retired);
        assertEquals(0, queue.waiting());
        assertNull(queue.oldest());
        queue.run();
        assertEquals(List.of(), ran);
    }

    @Test
    void shouldRemoveAWaitingTask() {
        Runnable first = task("1");
        queue.offer(first);
        queue.offer(task("2"));
        assertTrue(queue.remove(first));
        assertFalse(queue.remove(first));
        queue.run();
        assertEquals(List.of("2"), ran);
    }

    @Test
    void shouldLoseAcceptedTasksButNotTheRefusedOneIfItCannotBeScheduled() {
        queue.refusal = new RejectedExecutionException("refused on purpose");
        Runnable refused = task("refused");
        assertSame(queue.refusal, assertThrows(RuntimeException.class, () -> queue.offer(refused)));
        assertEquals(1, queue.lost.size());
        queue.lost.get(0).run();
        assertEquals(List.of("accepted before it is refused"), ran);
        assertFalse(queue.offer(task("late")));
    }

    @Test
    void shouldRunTheTasksAfterOneThatThrows() {
        queue.offer(() -> {
            throw new IllegalStateException("thrown on purpose");
        });
        queue.offer(task("next"));
        try (CapturedLog log = CapturedLog.start()) {
            queue.run();
            assertEquals("thrown on purpose", log.only().cause().getMessage());
        }
        assertEquals(List.of("next"), ran);
    }

    @Test
    void shouldBeLookedAtByOneThreadAndFilledByAnother() {
        queue.waiting();
        queue.oldest();
        queue.remove(task("unknown"));
        Thread other = new Thread(() -> queue.offer(task("1")));
        other.start();
        Await.end(other);
        assertEquals(1, queue.waiting());
    }

    @Test
    void shouldRunOnAnotherThreadAfterEachKindOfOffer() {
        queue.offer(task("1"));
        queue.offer(task("2"));
        runOnAnotherThread();
        assertEquals(List.of("1", "2"), ran);
        assertFalse(queue.offer(task("late")));
        runOnAnotherThread();
        assertEquals(List.of("1", "2"), ran);
    }

    private void runOnAnotherThread() {
        Thread other = new Thread(queue);
        other.start();
        Await.end(other);
    }
}
