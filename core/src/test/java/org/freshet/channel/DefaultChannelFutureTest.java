package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DefaultChannelFutureTest {
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

    // ---- the four states ----

    @Test
    void shouldBePendingAtFirst() {
        for (ChannelFuture pending : List.of(future, cancellable)) {
            assertFalse(pending.isDone());
            assertFalse(pending.isSuccess());
            assertFalse(pending.isCancelled());
            assertNull(pending.getCause());
            assertSame(channel, pending.getChannel());
        }
    }

    @Test
    void shouldSucceedOnce() {
        assertTrue(future.setSuccess());
        assertFalse(future.setSuccess());
        assertFalse(future.setFailure(new IOException()));
        assertFalse(future.cancel());
        assertTrue(future.isDone());
        assertTrue(future.isSuccess());
        assertFalse(future.isCancelled());
        assertNull(future.getCause());
    }

    @Test
    void shouldFailOnce() {
        IOException cause = new IOException();
        assertTrue(cancellable.setFailure(cause));
        assertFalse(cancellable.setFailure(new IOException()));
        assertFalse(cancellable.setSuccess());
        assertFalse(cancellable.cancel());
        assertTrue(cancellable.isDone());
        assertFalse(cancellable.isSuccess());
        assertFalse(cancellable.isCancelled());
        assertSame(cause, cancellable.getCause());
    }

    @Test
    void shouldBeCancelledOnce() {
        assertTrue(cancellable.cancel());
        assertFalse(cancellable.cancel());
        assertFalse(cancellable.setSuccess());
        assertFalse(cancellable.setFailure(new IOException()));
        assertTrue(cancellable.isDone());
        assertTrue(cancellable.isCancelled());
        assertFalse(cancellable.isSuccess());
        assertNull(cancellable.getCause());
    }

    @Test
    void shouldRefuseToBeCancelledIfMadeSo() {
        assertFalse(future.cancel());
        assertFalse(future.isDone());
        assertTrue(future.setSuccess());
    }

    @Test
    void shouldStayCancellableOrNotWhateverListenersComeAndGo() {
        for (int count = 0; count < 4; count++) {
            DefaultChannelFuture yes = new DefaultChannelFuture(channel, true);
            DefaultChannelFuture no = new DefaultChannelFuture(channel, false);
            List<ChannelFutureListener> added = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ChannelFutureListener listener = listener("x");
                added.add(listener);
                yes.addListener(listener);
                no.addListener(listener);
            }
            added.forEach(yes::removeListener);
            added.forEach(no::removeListener);
            yes.addListener(listener("yes"));
            no.addListener(listener("no"));
            assertFalse(no.cancel());
            assertTrue(yes.cancel());
        }
        assertEquals(List.of("yes", "yes", "yes", "yes"), calls);
    }

    @Test
    void shouldRefuseNulls() {
        assertThrows(NullPointerException.class, () -> future.setFailure(null));
        assertThrows(NullPointerException.class, () -> future.addListener(null));
        assertThrows(NullPointerException.class, () -> future.removeListener(null));
        assertFalse(future.isDone());
    }

    @Test
    void shouldWorkWithoutChannel() {
        DefaultChannelFuture lonely = new DefaultChannelFuture(null, false);
        lonely.addListener(listener("called"));
        assertFalse(lonely.awaitUninterruptibly(1));
        lonely.setSuccess();
        assertNull(lonely.getChannel());
        assertEquals(List.of("called"), calls);
    }

    @Test
    void shouldTellItsStateInWords() {
        FakeChannel known = new FakeChannel(42, null);
        assertEquals(
                "DefaultChannelFuture(pending, [id: 0x0000002a])", new DefaultChannelFuture(known, true).toString());
        cancellable.cancel();
        assertTrue(cancellable.toString().contains("cancelled"));
        future.setFailure(new IOException("broken"));
        assertTrue(future.toString().contains("failed: java.io.IOException: broken"));
    }

    // ---- listeners ----

    @Test
    void shouldCallListenersInTheOrderAdded() {
        for (DefaultChannelFuture each : List.of(future, cancellable)) {
            calls.clear();
            for (String name : List.of("a", "b", "c", "d")) {
                each.addListener(listener(name));
            }
            each.setSuccess();
            assertEquals(List.of("a", "b", "c", "d"), calls);
        }
    }

    @Test
    void shouldCallListenersOnTheCompletingThread() throws Exception {
        AtomicReference<Thread> caller = new AtomicReference<>();
        future.addListener(done -> caller.set(Thread.currentThread()));
        Thread completer = new Thread(future::setSuccess);
        completer.start();
        completer.join(LIMIT_MILLIS);
        assertSame(completer, caller.get());
    }

    @Test
    void shouldPassItselfToListeners() {
        AtomicReference<ChannelFuture> passed = new AtomicReference<>();
        future.addListener(passed::set);
        future.setSuccess();
        assertSame(future, passed.get());
    }

    @Test
    void shouldCallListenersOfEachOutcome() {
        future.addListener(listener("failed"));
        future.setFailure(new IOException());
        cancellable.addListener(listener("cancelled"));
        cancellable.cancel();
        assertEquals(List.of("failed", "cancelled"), calls);
    }

    @Test
    void shouldCallListenerAddedLateAtOnceOnTheCaller() {
        future.setSuccess();
        AtomicReference<Thread> caller = new AtomicReference<>();
        future.addListener(done -> caller.set(Thread.currentThread()));
        assertSame(Thread.currentThread(), caller.get());
    }

    @Test
    void shouldCallListenerAddedByAListener() {
        future.addListener(done -> {
            calls.add("outer");
            done.addListener(listener("inner"));
        });
        future.addListener(listener("next"));
        future.setSuccess();
        assertEquals(List.of("outer", "inner", "next"), calls);
    }

    @Test
    void shouldCallListenerAsOftenAsAdded() {
        ChannelFutureListener twice = listener("twice");
        future.addListener(twice);
        future.addListener(twice);
        future.setSuccess();
        assertEquals(List.of("twice", "twice"), calls);
    }

    @Test
    void shouldCallTheOthersWhenAListenerThrows() {
        future.addListener(listener("a"));
        future.addListener(done -> {
            throw new IOException("thrown on purpose");
        });
        future.addListener(done -> {
            throw new AssertionError("thrown on purpose");
        });
        future.addListener(listener("d"));
        assertTrue(future.setSuccess());
        assertEquals(List.of("a", "d"), calls);
    }

    @Test
    void shouldNotThrowAtWhoeverAddsAThrowingListenerLate() {
        future.setSuccess();
        future.addListener(done -> {
            throw new IOException("thrown on purpose");
        });
        future.addListener(listener("next"));
        assertEquals(List.of("next"), calls);
    }

    @Test
    void shouldNotCallRemovedListenerAndKeepTheOrderOfTheOthers() {
        for (int removed = 0; removed < 4; removed++) {
            for (boolean canCancel : new boolean[] {false, true}) {
                calls.clear();
                DefaultChannelFuture each = new DefaultChannelFuture(channel, canCancel);
                List<ChannelFutureListener> listeners =
                        List.of(listener("0"), listener("1"), listener("2"), listener("3"));
                listeners.forEach(each::addListener);
                each.removeListener(listeners.get(removed));
                each.setSuccess();
                List<String> expected = new ArrayList<>(List.of("0", "1", "2", "3"));
                expected.remove(removed);
                assertEquals(expected, calls);
            }
        }
    }

    @Test
    void shouldRemoveTheOnlyListener() {
        ChannelFutureListener only = listener("only");
        future.addListener(only);
        future.removeListener(only);
        future.setSuccess();
        assertEquals(List.of(), calls);
    }

    @Test
    void shouldRemoveOneOfTwoAdditions() {
        ChannelFutureListener twice = listener("twice");
        future.addListener(twice);
        future.addListener(listener("between"));
        future.addListener(twice);
        future.removeListener(twice);
        future.setSuccess();
        assertEquals(1, calls.stream().filter("twice"::equals).count());
        assertTrue(calls.contains("between"));
    }

    @Test
    void shouldIgnoreRemovalOfUnknownListeners() {
        future.removeListener(listener("unknown"));
        future.addListener(listener("a"));
        future.removeListener(listener("unknown"));
        future.addListener(listener("b"));
        future.removeListener(listener("unknown"));
        future.setSuccess();
        future.removeListener(listener("unknown"));
        assertEquals(List.of("a", "b"), calls);
    }

    /** Does something in the middle of a search for it, as another thread may. */
    private static final class Interloper implements ChannelFutureListener {
        private Runnable meanwhile;

        Interloper(Runnable meanwhile) {
            this.meanwhile = meanwhile;
        }

        @Override
        public void operationComplete(ChannelFuture source) {}

        @Override
        public boolean equals(Object other) {
            Runnable once = meanwhile;
            meanwhile = () -> {};
            once.run();
            return this == other;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    @Test
    void shouldStayDoneWhenCompletedInTheMiddleOfARemoval() {
        Interloper removed = new Interloper(future::setSuccess);
        future.addListener(listener("a"));
        future.addListener(removed);
        future.addListener(listener("b"));
        future.removeListener(removed);
        assertTrue(future.isSuccess());
        assertEquals(List.of("a", "b"), calls);
    }

    @Test
    void shouldKeepAListenerAddedInTheMiddleOfARemoval() {
        Interloper removed = new Interloper(() -> future.addListener(listener("b")));
        future.addListener(listener("a"));
        future.addListener(removed);
        future.removeListener(removed);
        future.setSuccess();
        assertEquals(List.of("a", "b"), calls);
    }

    @Test
    void shouldKeepThousandsOfListeners() {
        AtomicInteger sum = new AtomicInteger();
        List<ChannelFutureListener> odd = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            ChannelFutureListener counter = done -> sum.incrementAndGet();
            future.addListener(counter);
            if (i % 2 == 1) {
                odd.add(counter);
            }
        }
        odd.forEach(future::removeListener);
        future.setSuccess();
        assertEquals(1000, sum.get());
    }

    @Test
    void shouldCompleteALongChainOfFuturesWithoutExhaustingTheStack() {
        int length = 200_000;
        DefaultChannelFuture first = new DefaultChannelFuture(channel, false);
        DefaultChannelFuture last = first;
        for (int i = 0; i < length; i++) {
            DefaultChannelFuture next = new DefaultChannelFuture(channel, false);
            last.addListener(new ChannelFutureNotifier(next));
            last = next;
        }
        first.setSuccess();
        assertTrue(last.isSuccess());
    }

    @Test
    void shouldSurviveAListenerThatAddsItselfToDoneFuturesAgainAndAgain() {
        AtomicInteger left = new AtomicInteger(200_000);
        ChannelFutureListener repeating = new ChannelFutureListener() {
            @Override
            public void operationComplete(ChannelFuture done) {
                if (left.getAndDecrement() > 0) {
                    new SucceededChannelFuture(done.getChannel()).addListener(this);
                }
            }
        };
        future.addListener(repeating);
        future.setSuccess();
        assertEquals(-1, left.get());
    }

    @Test
    void shouldCallNestedListenersRightAwayUpToTheLimit() {
        List<Integer> order = new ArrayList<>();
        DefaultChannelFuture next = null;
        for (int i = ListenerCalls.DEEPEST_NESTING; i > 0; i--) {
            DefaultChannelFuture inner = next;
            DefaultChannelFuture outer = new DefaultChannelFuture(channel, false);
            int depth = i;
            outer.addListener(done -> {
                if (inner != null) {
                    inner.setSuccess();
                }
                order.add(depth); // after all that are nested deeper
            });
            next = outer;
        }
        next.setSuccess();
        for (int i = 0; i < order.size(); i++) {
            assertEquals(ListenerCalls.DEEPEST_NESTING - i, order.get(i));
        }
        assertEquals(ListenerCalls.DEEPEST_NESTING, order.size());
    }

    // ---- progress ----

    private class Progress implements ChannelFutureProgressListener {
        @Override
        public void operationProgressed(ChannelFuture source, long amount, long current, long total) {
            calls.add(amount + "/" + current + "/" + total);
        }

        @Override
        public void operationComplete(ChannelFuture source) {
            calls.add("complete");
        }
    }

    @Test
    void shouldTellProgressToProgressListenersOnly() {
        future.addListener(listener("plain"));
        future.addListener(new Progress());
        assertTrue(future.setProgress(3, 3, 10));
        assertTrue(future.setProgress(7, 10, 10));
        future.setSuccess();
        assertEquals(List.of("3/3/10", "7/10/10", "plain", "complete"), calls);
    }

    @Test
    void shouldTellProgressToASingleListener() {
        future.addListener(new Progress());
        future.setProgress(1, 2, -1);
        assertEquals(List.of("1/2/-1"), calls);
    }

    @Test
    void shouldTellNoProgressAfterCompletion() {
        future.addListener(new Progress());
        future.setSuccess();
        assertFalse(future.setProgress(1, 1, 1));
        assertEquals(List.of("complete"), calls);
    }

    @Test
    void shouldStopTellingProgressWhenAProgressListenerCompletesTheFuture() {
        future.addListener(new Progress() {
            @Override
            public void operationProgressed(ChannelFuture source, long amount, long current, long total) {
                source.setSuccess();
            }
        });
        future.addListener(new Progress());
        future.setProgress(1, 1, 1);
        assertEquals(List.of("complete", "complete"), calls);
    }

    @Test
    void shouldTellTheOthersWhenAProgressListenerThrows() {
        future.addListener(new Progress() {
            @Override
            public void operationProgressed(ChannelFuture source, long amount, long current, long total) {
                throw new IllegalStateException("thrown on purpose");
            }
        });
        future.addListener(new Progress());
        assertTrue(future.setProgress(1, 1, 1));
        assertEquals(List.of("1/1/1"), calls);
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

    /** Calls on another thread, and returns that thread once it is parked on the future. */
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
        assertFalse(waiter.isAlive(), "the waiter did not come back");
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
    void shouldOnlyLookWithoutPositiveTimeout() throws Exception {
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
    void shouldLeaveNoTraceOfWaitersThatGaveUp() throws Exception {
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
    void shouldWaitOnAfterSpuriousWakeups() throws Exception {
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

    // ---- dead locks ----

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

    @Test
    void shouldLetTheIoThreadLookAtWhatIsDoneOrNotWait() throws Exception {
        channel.ioThread = Thread.currentThread();
        assertFalse(future.await(0));
        future.setSuccess();
        for (Wait wait : INTERRUPTIBLE) {
            assertTrue(wait.on(future));
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

    // ---- stock listeners ----

    @Test
    void shouldCloseTheChannelByListener() {
        for (boolean success : new boolean[] {true, false}) {
            FakeChannel each = new FakeChannel();
            ChannelFuture done = new DefaultChannelFuture(each, false);
            done.addListener(ChannelFutureListener.CLOSE);
            assertTrue(success ? done.setSuccess() : done.setFailure(new IOException()));
            assertFalse(each.isOpen());
        }
    }

    @Test
    void shouldCloseTheChannelOnFailureOnlyByListener() {
        future.addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        future.setSuccess();
        assertTrue(channel.isOpen());
        cancellable.addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        cancellable.cancel();
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldPassOutcomesOn() {
        ChannelFuture succeeded = new DefaultChannelFuture(channel, false);
        ChannelFuture failed = new DefaultChannelFuture(channel, false);
        ChannelFuture cancelled = new DefaultChannelFuture(channel, true);
        ChannelFuture uncancellable = new DefaultChannelFuture(channel, false);
        IOException cause = new IOException();
        for (ChannelFuture target : List.of(succeeded, failed, cancelled, uncancellable)) {
            ChannelFuture source = new DefaultChannelFuture(channel, true);
            source.addListener(new ChannelFutureNotifier(target));
            if (target == succeeded) {
                source.setSuccess();
            } else if (target == failed) {
                source.setFailure(cause);
            } else {
                source.cancel();
            }
        }
        assertTrue(succeeded.isSuccess());
        assertSame(cause, failed.getCause());
        assertTrue(cancelled.isCancelled());
        assertInstanceOf(CancellationException.class, uncancellable.getCause());
    }
}
