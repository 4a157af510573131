package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that wait for a {@link DefaultChannelFuture}. */
class FutureWaitingTest {
    private static final long LIMIT_MILLIS = 30_000;

    private final FakeChannel channel = new FakeChannel();
    private final DefaultChannelFuture future = new DefaultChannelFuture(channel, false);
    private final DefaultChannelFuture cancellable = new DefaultChannelFuture(channel, true);
    private final List<String> calls = new ArrayList<>();

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    private ChannelFutureListener listener(String name) {
        return done -> calls.add(name);
    }

    // ---- waiting ----

    private interface Wait {
        boolean on(ChannelFuture future) throws InterruptedException;
    }

    private static final List<Wait> INTERRUPTIBLE = List.of(
            pending -> pending.await().isDone(),
            pending -> pending.sync().isDone(),
            pending -> pending.await(LIMIT_MILLIS),
            pending -> pending.await(LIMIT_MILLIS, TimeUnit.MILLISECONDS));

    private static final List<Wait> UNINTERRUPTIBLE = List.of(
            pending -> pending.awaitUninterruptibly().isDone(),
            pending -> pending.syncUninterruptibly().isDone(),
            pending -> pending.awaitUninterruptibly(LIMIT_MILLIS),
            pending -> pending.awaitUninterruptibly(LIMIT_MILLIS, TimeUnit.MILLISECONDS));

    /** Makes the call on another thread, and returns that thread once it is parked on the future. */
    private static Thread startWaiting(DefaultChannelFuture future, Runnable wait) {
        Thread waiter = new Thread(wait);
        waiter.start();
        awaitParked(waiter, future);
        return waiter;
    }

    private static void awaitParked(Thread waiter, Object blocker) {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS);
        while (LockSupport.getBlocker(waiter) != blocker) {
            assertTrue(waiter.isAlive(), "the waiter ended without waiting");
            assertTrue(System.nanoTime() < deadlineNanos, "the waiter did not park");
            Thread.onSpinWait();
        }
    }

    private static void end(Thread waiter) throws InterruptedException {
        waiter.join(LIMIT_MILLIS);
        assertFalse(waiter.isAlive(), "the waiter did not return");
    }

    @Test
    void shouldWakeEveryKindOfWaiterOnCompletion() throws Exception {
        List<Wait> all = new ArrayList<>(INTERRUPTIBLE);
        all.addAll(UNINTERRUPTIBLE);
        AtomicInteger woken = new AtomicInteger();
        List<Thread> waiters = new ArrayList<>();
        for (Wait wait : all) {
            waiters.add(startWaiting(future, () -> {
                try {
                    if (wait.on(future)) {
                        woken.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        future.setSuccess();
        for (Thread waiter : waiters) {
            end(waiter);
        }
        assertEquals(all.size(), woken.get());
    }

    @Test
    void shouldEndInterruptibleWaitsOnInterrupt() throws Exception {
        for (Wait wait : INTERRUPTIBLE) {
            DefaultChannelFuture pending = new DefaultChannelFuture(channel, false);
            AtomicBoolean ended = new AtomicBoolean();
            Thread waiter = startWaiting(pending, () -> {
                assertThrows(InterruptedException.class, () -> wait.on(pending));
                ended.set(!Thread.currentThread().isInterrupted());
            });
            waiter.interrupt();
            end(waiter);
            assertTrue(ended.get());
        }
    }

    @Test
    void shouldKeepTheInterruptOfUninterruptibleWaits() throws Exception {
        for (Wait wait : UNINTERRUPTIBLE) {
            DefaultChannelFuture pending = new DefaultChannelFuture(channel, false);
            AtomicBoolean flagKept = new AtomicBoolean();
            Thread waiter = new Thread(() -> {
                Thread.currentThread().interrupt();
                try {
                    flagKept.set(wait.on(pending) && Thread.interrupted());
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            waiter.start();
            awaitParked(waiter, pending);
            waiter.interrupt();
            pending.setSuccess();
            end(waiter);
            assertTrue(flagKept.get());
        }
    }

    @Test
    void shouldThrowInterruptBeforeWaitingEvenIfDone() {
        future.setSuccess();
        for (Wait wait : INTERRUPTIBLE) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> wait.on(future));
            assertFalse(Thread.interrupted());
        }
    }

    @Test
    void shouldReturnFalseAfterTheTimeout() throws Exception {
        assertFalse(future.await(1));
        assertFalse(future.await(1, TimeUnit.MICROSECONDS));
        assertFalse(future.awaitUninterruptibly(1));
        assertFalse(future.awaitUninterruptibly(1, TimeUnit.MICROSECONDS));
    }

    @Test
    void shouldOnlyPollWithoutAPositiveTimeout() throws Exception {
        for (long timeout : new long[] {0, -1, Long.MIN_VALUE}) {
            assertFalse(future.await(timeout));
            assertFalse(future.awaitUninterruptibly(timeout));
            assertFalse(future.await(timeout, TimeUnit.DAYS));
            assertFalse(future.awaitUninterruptibly(timeout, TimeUnit.DAYS));
        }
        future.setSuccess();
        assertTrue(future.await(0));
        assertTrue(future.awaitUninterruptibly(-1));
    }

    @Test
    void shouldForgetWaitersThatGaveUp() throws Exception {
        future.addListener(listener("a"));
        future.await(1);
        future.addListener(listener("b"));
        future.await(1);
        assertFalse(cancellable.await(1));
        future.setSuccess();
        assertEquals(List.of("a", "b"), calls);
        assertTrue(cancellable.cancel());
    }

    @Test
    void shouldWakeWaitersBeforeListenersRun() throws Exception {
        CountDownLatch awake = new CountDownLatch(1);
        AtomicBoolean wokeFirst = new AtomicBoolean();
        future.addListener(done -> wokeFirst.set(awake.await(LIMIT_MILLIS, TimeUnit.MILLISECONDS)));
        Thread waiter = startWaiting(future, () -> {
            future.awaitUninterruptibly();
            awake.countDown();
        });
        future.setSuccess();
        end(waiter);
        assertTrue(wokeFirst.get());
    }

    @Test
    void shouldContinueToWaitAfterSpuriousWakeups() throws Exception {
        Thread waiter = startWaiting(future, future::awaitUninterruptibly);
        for (int i = 0; i < 100; i++) {
            LockSupport.unpark(waiter);
        }
        awaitParked(waiter, future);
        future.setSuccess();
        end(waiter);
    }

    // ---- rethrowing ----

    @Test
    void shouldRethrowUncheckedCausesAsTheyAre() {
        for (Throwable cause : List.of(new IllegalStateException(), new AssertionError())) {
            DefaultChannelFuture failed = new DefaultChannelFuture(channel, false);
            failed.setFailure(cause);
            assertSame(cause, assertThrows(Throwable.class, failed::sync));
            assertSame(cause, assertThrows(Throwable.class, failed::syncUninterruptibly));
        }
    }

    @Test
    void shouldWrapCheckedCauses() {
        IOException cause = new IOException();
        future.setFailure(cause);
        assertSame(cause, assertThrows(ChannelException.class, future::sync).getCause());
        assertSame(
                cause,
                assertThrows(ChannelException.class, future::syncUninterruptibly)
                        .getCause());
    }

    @Test
    void shouldSyncNormallyAfterSuccessAndCancellation() throws Exception {
        future.setSuccess();
        cancellable.cancel();
        assertSame(future, future.sync());
        assertSame(cancellable, cancellable.syncUninterruptibly());
    }

    // ---- deadlocks ----

    @Test
    void shouldRefuseToWaitOnTheChannelsOwnIoThread() {
        channel.ioThread = Thread.currentThread();
        List<Wait> all = new ArrayList<>(INTERRUPTIBLE);
        all.addAll(UNINTERRUPTIBLE);
        for (Wait wait : all) {
            IllegalStateException refusal = assertThrows(IllegalStateException.class, () -> wait.on(future));
            assertTrue(refusal.getMessage().contains("I/O thread"), refusal.getMessage());
        }
        future.addListener(listener("still works"));
        future.setSuccess();
        assertEquals(List.of("still works"), calls);
    }

    /** Like TLS futures, which exist before their handler is in a pipeline. */
    @Test
    void shouldRefuseToWaitOnTheIoThreadOfAChannelThatASubclassKnows() {
        channel.ioThread = Thread.currentThread();
        ChannelFuture early = new DefaultChannelFuture(null, false) {
            @Override
            public Channel getChannel() {
                return channel;
            }
        };
        // With a time limit: without the check the test would hang.
        assertThrows(IllegalStateException.class, () -> early.await(1));
        assertThrows(IllegalStateException.class, () -> early.awaitUninterruptibly(1));
    }

    @Test
    void shouldLetTheIoThreadPollAndAwaitDoneFutures() throws Exception {
        channel.ioThread = Thread.currentThread();
        assertFalse(future.await(0));
        future.setSuccess();
        for (Wait wait : INTERRUPTIBLE) {
            assertTrue(wait.on(future));
        }
    }

    /** A thread that waits for it on its I/O thread first sends what is queued. */
    private static final class SendingChannel extends FakeChannel {
        private ChannelFuture queued;

        @Override
        public void onAwait(BooleanSupplier isDone) {
            queued.setSuccess();
        }
    }

    @Test
    void shouldNotRefuseToWaitForWhatTheIoThreadCanDoItself() throws Exception {
        SendingChannel sending = new SendingChannel();
        sending.ioThread = Thread.currentThread();
        for (Wait wait : INTERRUPTIBLE) {
            sending.queued = new DefaultChannelFuture(sending, false);
            assertTrue(wait.on(sending.queued));
        }
    }

    @Test
    void shouldWaitForChannelsOfOtherThreads() throws Exception {
        channel.ioThread = new Thread();
        assertFalse(future.await(1));
    }

    @Test
    void shouldWaitEverywhereWithTheCheckerOff() throws Exception {
        assertTrue(DefaultChannelFuture.isUseDeadLockChecker());
        channel.ioThread = Thread.currentThread();
        DefaultChannelFuture.setUseDeadLockChecker(false);
        try {
            assertFalse(DefaultChannelFuture.isUseDeadLockChecker());
            assertFalse(future.await(1));
        } finally {
            DefaultChannelFuture.setUseDeadLockChecker(true);
        }
    }
}
