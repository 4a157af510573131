package org.freshet.util;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VirtualExecutorServiceTest {
    private final ExecutorService parent = Executors.newFixedThreadPool(2);
    private final VirtualExecutorService view = new VirtualExecutorService(parent);

    /** An executor that only collects tasks; the test chooses which to run. */
    private final Queue<Runnable> collected = new ArrayDeque<>();

    private final VirtualExecutorService collecting = new VirtualExecutorService(collected::add);
    private final List<String> ran = new ArrayList<>();

    @AfterEach
    void shutDown() throws Exception {
        parent.shutdownNow();
        assertTrue(parent.awaitTermination(Await.LIMIT.toSeconds(), SECONDS), "the end of the pool");
    }

    @Test
    void shouldRunTasksOnTheParent() {
        assertEquals("result", Await.result(view.submit(() -> "result"), "the task"));
        assertFalse(view.isShutdown() || view.isTerminated());
    }

    @Test
    void shouldTerminateWithoutItsParentAfterItsTasks() throws Exception {
        collecting.execute(() -> ran.add("a"));
        collecting.execute(() -> ran.add("b"));
        collecting.shutdown();
        assertTrue(collecting.isShutdown());
        assertFalse(collecting.isTerminated());
        assertFalse(collecting.awaitTermination(1, MILLISECONDS));
        collected.remove().run();
        assertFalse(collecting.isTerminated());
        collected.remove().run();
        assertTrue(collecting.isTerminated());
        assertTrue(collecting.awaitTermination(0, SECONDS));
        assertEquals(List.of("a", "b"), ran);
        view.shutdown();
        assertTrue(view.awaitTermination(0, SECONDS));
        assertFalse(parent.isShutdown());
    }

    @Test
    void shouldRefuseTasksAfterItsShutdown() {
        view.shutdown();
        assertThrows(RejectedExecutionException.class, () -> view.execute(() -> ran.add("late")));
        assertThrows(NullPointerException.class, () -> collecting.execute(null));
        assertThrows(NullPointerException.class, () -> new VirtualExecutorService(null));
    }

    @Test
    void shouldReturnTasksThatHaveNotStarted() {
        Runnable first = () -> ran.add("first");
        collecting.execute(first);
        collecting.execute(first);
        assertEquals(List.of(first, first), collecting.shutdownNow());
        assertTrue(collecting.isTerminated());
        collected.forEach(Runnable::run);
        assertEquals(List.of(), ran);
        assertEquals(List.of(), collecting.shutdownNow());
    }

    @Test
    void shouldInterruptItsRunningTasksOnly() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch otherMayEnd = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        view.execute(() -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.complete(true);
            }
        });
        CompletableFuture<Boolean> otherInterrupted = new CompletableFuture<>();
        parent.execute(() -> {
            begun.countDown();
            Await.latch(otherMayEnd, "permission to end");
            otherInterrupted.complete(Thread.currentThread().isInterrupted());
        });
        Await.latch(begun, "both tasks");
        view.shutdownNow();
        assertTrue(Await.result(interrupted, "the interrupt"));
        assertTrue(view.awaitTermination(Await.LIMIT.toSeconds(), SECONDS));
        otherMayEnd.countDown();
        assertFalse(Await.result(otherInterrupted, "the other task"));
    }

    @Test
    void shouldForgetATaskThatTheParentRefuses() {
        VirtualExecutorService refused = new VirtualExecutorService(task -> {
            throw new RejectedExecutionException("full");
        });
        assertThrows(RejectedExecutionException.class, () -> refused.execute(() -> ran.add("never")));
        refused.shutdown();
        assertTrue(refused.isTerminated());
    }

    @Test
    void shouldTerminateAfterATaskThatThrows() {
        VirtualExecutorService inPlace = new VirtualExecutorService(Runnable::run);
        assertThrows(
                IllegalStateException.class,
                () -> inPlace.execute(() -> {
                    throw new IllegalStateException();
                }));
        inPlace.shutdown();
        assertTrue(inPlace.isTerminated());
    }

    @Test
    void shouldWakeThreadsThatAwaitTermination() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        view.execute(() -> Await.latch(mayEnd, "permission to end"));
        view.shutdown();
        CompletableFuture<Boolean> ended = CompletableFuture.supplyAsync(() -> {
            try {
                return view.awaitTermination(Await.LIMIT.toSeconds(), SECONDS);
            } catch (InterruptedException e) {
                return false;
            }
        });
        mayEnd.countDown();
        assertTrue(Await.result(ended, "the end of the view"));
    }
}
