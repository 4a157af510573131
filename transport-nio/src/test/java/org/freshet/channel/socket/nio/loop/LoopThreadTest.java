package org.freshet.channel.socket.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.freshet.internal.IoThreads;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The life cycle of a loop. */
class LoopThreadTest {
    private final LoopThread thread = new LoopThread();

    @AfterEach
    void end() {
        thread.end();
        Thread.interrupted();
    }

    @Test
    void shouldBeTheCallersFromBeginToEnd() throws InterruptedException {
        assertNull(thread.get());
        assertFalse(thread.isCurrent());
        assertFalse(thread.awaitStarted(0));

        assertTrue(thread.begin());
        assertSame(Thread.currentThread(), thread.get());
        assertTrue(thread.isCurrent());
        assertTrue(LoopThread.isAnyCurrent());
        assertTrue(IoThreads.isCurrent());
        assertTrue(thread.isRunning());
        assertTrue(thread.awaitStarted(0));

        thread.stop();
        assertFalse(thread.isRunning());
        assertTrue(thread.isCurrent(), "a loop that stops still closes its channels");

        thread.end();
        assertNull(thread.get());
        assertFalse(LoopThread.isAnyCurrent());
        assertFalse(IoThreads.isCurrent());
    }

    @Test
    void shouldNotBeginAgain() {
        assertTrue(thread.begin());
        assertFalse(thread.begin());
        thread.end();
        assertFalse(thread.begin());
    }

    @Test
    void shouldNotBeginOnceAbandoned() throws InterruptedException {
        assertTrue(thread.abandon());
        assertFalse(thread.begin());
        assertFalse(thread.abandon(), "it has been already");
        assertFalse(thread.isRunning());
        assertFalse(thread.awaitStarted(TimeUnit.MILLISECONDS.toNanos(1)));
    }

    @Test
    void shouldNotBeAbandonedOnceItHasBegun() {
        thread.begin();
        assertFalse(thread.abandon());
        assertTrue(thread.isRunning());
    }

    @Test
    void shouldStayStoppedWhenToldToStop() {
        thread.begin();
        thread.end();
        thread.stop();
        assertFalse(thread.begin());
        assertFalse(thread.abandon());
        thread.awaitStopped();
    }

    @Test
    void shouldKeepAThreadOfAnotherLoopItsOwnWhenEndedByIt() {
        thread.begin();
        LoopThread other = new LoopThread();
        assertTrue(other.abandon());
        other.end();
        other.awaitStopped();
        assertTrue(thread.isCurrent());
        assertTrue(LoopThread.isAnyCurrent());
    }

    @Test
    void shouldWaitForTheEndDespiteAnInterruptAndRestoreIt() {
        boolean[] wasInterrupted = new boolean[1];
        Thread waiting = new Thread(() -> {
            Thread.currentThread().interrupt();
            thread.awaitStopped();
            wasInterrupted[0] = Thread.interrupted();
        });
        waiting.start();
        Await.until(() -> waiting.getState() == Thread.State.WAITING, "the wait");
        thread.end();
        Await.end(waiting);
        assertTrue(wasInterrupted[0]);
    }

    @Test
    void shouldNotInterruptACallerThatWasNot() {
        thread.end();
        thread.awaitStopped();
        assertEquals(false, Thread.currentThread().isInterrupted());
    }
}
