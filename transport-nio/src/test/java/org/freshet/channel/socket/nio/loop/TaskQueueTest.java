package org.freshet.channel.socket.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;

class TaskQueueTest {
    private static final int THREADS = 4;
    private static final int TASKS_A_THREAD = 20_000;
    private static final int ROUNDS = 100_000;

    private final TaskQueue queue = new TaskQueue();
    private final List<String> ran = new ArrayList<>();

    private boolean submit(String name) {
        return queue.submit(new TaskQueue.Link(() -> ran.add(name)));
    }

    private void runNext() {
        queue.poll().run();
    }

    @Test
    void shouldReturnTasksInTheOrderOfTheirSubmission() {
        assertTrue(queue.isEmpty());
        submit("1");
        assertFalse(queue.isEmpty());
        submit("2");
        runNext();
        submit("3");
        assertFalse(queue.isEmpty());
        runNext();
        runNext();
        assertEquals(List.of("1", "2", "3"), ran);
        assertTrue(queue.isEmpty());
        assertNull(queue.poll());
    }

    @Test
    void shouldAcceptATaskAgainAfterItHasLeftTheQueue() {
        TaskQueue.Link task = new TaskQueue.Link(() -> ran.add("again"));
        queue.submit(task);
        submit("other");
        assertEquals(task, queue.poll());
        assertNull(task.next(), "it would keep the tasks after it in memory");
        queue.submit(task);
        runNext();
        runNext();
        assertEquals(List.of("other", "again"), ran);
        assertTrue(queue.isEmpty());
    }

    @Test
    void shouldNotCloseWhileThereAreTasks() {
        submit("1");
        submit("2");
        assertFalse(queue.closeIfEmpty());
        runNext();
        assertFalse(queue.closeIfEmpty());
        runNext();
        assertTrue(queue.closeIfEmpty());
        assertFalse(submit("late"));
        assertTrue(queue.closeIfEmpty());
        assertTrue(queue.isEmpty());
        assertEquals(0, queue.count(10));
        assertNull(queue.poll());
    }

    @Test
    void shouldHoldOnlyTheAcceptedTasksHoweverOftenItRefusesOthers() {
        submit("1");
        queue.refuse();
        queue.refuse();
        assertEquals(1, queue.count(10));
        runNext();
        queue.refuse();
        assertNull(queue.poll());
        assertTrue(queue.isEmpty());
    }

    /** Through JMX, because Freshet does not read the module of the interface that declares this method. */
    private static long allocatedBytes() throws JMException {
        return (long) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                        "getThreadAllocatedBytes",
                        new Object[] {Thread.currentThread().getId()},
                        new String[] {"long"});
    }

    private long bytesOfRounds() throws JMException {
        TaskQueue.Link task = new TaskQueue.Link(() -> {});
        long before = allocatedBytes();
        for (int i = 0; i < ROUNDS; i++) {
            queue.submit(task);
            queue.poll();
        }
        return allocatedBytes() - before;
    }

    /** So that a loop is notified of a request in a channel's inbox even when memory has run out. */
    @Test
    void shouldAllocateNothingToAcceptATask() throws JMException {
        bytesOfRounds(); // loads classes
        assertEquals(0, bytesOfRounds() / ROUNDS, "bytes per round, except for those of the measurement");
    }

    /** Some tasks are in the list of the oldest by then, the others in the stack of the newest. */
    @Test
    void shouldCountNoMoreTasksThanAsked() {
        for (int i = 0; i < 4; i++) {
            queue.submit(new TaskQueue.Link(() -> {}));
        }
        queue.poll();
        queue.submit(new TaskQueue.Link(() -> {}));
        queue.submit(new TaskQueue.Link(() -> {}));
        assertEquals(5, queue.count(1_000));
        for (int most = 0; most <= 5; most++) {
            assertEquals(most, queue.count(most));
        }
    }

    @Test
    void shouldLoseNoTaskAndKeepTheOrderOfEachThread() {
        AtomicInteger refused = new AtomicInteger();
        int[] counts = new int[THREADS];
        List<Thread> submitters = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int index = t;
            Thread submitter = new Thread(() -> {
                for (int i = 0; i < TASKS_A_THREAD; i++) {
                    int expected = i;
                    if (!queue.submit(new TaskQueue.Link(() -> assertEquals(expected, counts[index]++)))) {
                        refused.incrementAndGet();
                    }
                }
            });
            submitters.add(submitter);
            submitter.start();
        }
        while (submitters.stream().anyMatch(Thread::isAlive)) {
            drain();
        }
        submitters.forEach(Await::end);
        drain();
        assertTrue(queue.closeIfEmpty());
        assertEquals(0, refused.get());
        for (int count : counts) {
            assertEquals(TASKS_A_THREAD, count);
        }
    }

    private void drain() {
        for (TaskQueue.Task task = queue.poll(); task != null; task = queue.poll()) {
            task.run();
        }
    }
}
