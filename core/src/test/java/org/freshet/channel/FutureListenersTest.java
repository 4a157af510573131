package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.testing.Allocations;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;

/** Which listeners a {@link DefaultChannelFuture} calls, and in which order. */
class FutureListenersTest {
    private static final long LIMIT_MILLIS = 30_000;

    private final FakeChannel channel = new FakeChannel();
    private final DefaultChannelFuture future = new DefaultChannelFuture(channel, false);
    private final DefaultChannelFuture cancellable = new DefaultChannelFuture(channel, true);
    private final List<String> calls = new ArrayList<>();

    private ChannelFutureListener listener(String name) {
        return done -> calls.add(name);
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
    void shouldCallAListenerAddedLateImmediatelyOnTheCallingThread() {
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

    /** Runs an action in the middle of a search for it, as another thread may do. */
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
    void shouldReportProgressToProgressListenersOnly() {
        future.addListener(listener("plain"));
        future.addListener(new Progress());
        assertTrue(future.setProgress(3, 3, 10));
        assertTrue(future.setProgress(7, 10, 10));
        future.setSuccess();
        assertEquals(List.of("3/3/10", "7/10/10", "plain", "complete"), calls);
    }

    @Test
    void shouldReportProgressToASingleListener() {
        future.addListener(new Progress());
        future.setProgress(1, 2, -1);
        assertEquals(List.of("1/2/-1"), calls);
    }

    @Test
    void shouldReportProgressOfAnOperationThatCanBeCancelled() {
        assertTrue(cancellable.setProgress(1, 1, 3), "no listener yet");
        cancellable.addListener(new Progress());
        assertTrue(cancellable.setProgress(1, 2, 3));
        cancellable.addListener(new Progress());
        assertTrue(cancellable.setProgress(1, 3, 3));
        assertEquals(List.of("1/2/3", "1/3/3", "1/3/3"), calls);
    }

    @Test
    void shouldReportNoProgressAfterCompletion() {
        future.addListener(new Progress());
        future.setSuccess();
        assertFalse(future.setProgress(1, 1, 1));
        assertEquals(List.of("complete"), calls);
    }

    @Test
    void shouldStopReportingProgressWhenAProgressListenerCompletesTheFuture() {
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

    // ---- with memory exhausted ----

    /** A thread that awaits the future is an element of the same list. */
    @Test
    void shouldAllocateNothingToCallItsListeners() {
        List<DefaultChannelFuture> futures = new ArrayList<>();
        AtomicInteger called = new AtomicInteger();
        ChannelFutureListener counter = done -> called.incrementAndGet();
        for (int i = 0; i < 10_000; i++) {
            DefaultChannelFuture each = new DefaultChannelFuture(channel, i % 2 == 0);
            each.addListener(counter);
            each.addListener(counter);
            each.addListener(counter);
            futures.add(each);
        }
        long bytes = Allocations.bytesOf(() -> {
            for (int i = 0; i < futures.size(); i++) {
                futures.get(i).setSuccess();
            }
        });
        assertEquals(30_000, called.get());
        assertTrue(bytes < 10 * futures.size(), bytes + " bytes for " + futures.size() + " futures");
    }

    @Test
    void shouldCallListenersInOrderWhileOthersWalkThroughTheList() throws Exception {
        for (int round = 0; round < 200; round++) {
            DefaultChannelFuture each = new DefaultChannelFuture(channel, true);
            List<Integer> order = new ArrayList<>();
            List<ChannelFutureListener> others = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                int number = i;
                each.addListener(done -> order.add(number));
                ChannelFutureListener other = done -> {};
                others.add(other);
                each.addListener(other);
            }
            Thread walker = new Thread(() -> others.forEach(other -> {
                each.setProgress(1, 1, 1);
                each.removeListener(other);
            }));
            walker.start();
            each.setSuccess();
            Await.end(walker);
            assertEquals(java.util.stream.IntStream.range(0, 50).boxed().toList(), order);
        }
    }
}
