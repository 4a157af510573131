package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;

/** Listeners that throw, and listeners that complete other futures. */
class ListenerCallsTest {
    private static final int CHAIN = 200_000;

    private final FakeChannel channel = new FakeChannel();
    private final DefaultChannelFuture future = new DefaultChannelFuture(channel, false);
    private final List<String> calls = new ArrayList<>();

    private ChannelFutureListener listener(String name) {
        return done -> calls.add(name);
    }

    // ---- listeners that throw ----

    private static final class Throwing implements ChannelFutureProgressListener {
        private final Exception thrown;

        Throwing(Exception thrown) {
            this.thrown = thrown;
        }

        @Override
        public void operationProgressed(ChannelFuture source, long amount, long current, long total) throws Exception {
            throw thrown;
        }

        @Override
        public void operationComplete(ChannelFuture done) throws Exception {
            throw thrown;
        }

        @Override
        public String toString() {
            return "of this test";
        }
    }

    private static void assertLogged(CapturedLog log, String future, Exception thrown) {
        CapturedLog.Message line = log.only();
        assertEquals(InternalLogLevel.WARN, line.level());
        assertEquals("listener of this test threw when it was called with " + future, line.text());
        assertSame(thrown, line.cause());
    }

    @Test
    void shouldCallTheOthersAndLogItWhenAListenerThrows() {
        IOException thrown = new IOException("on purpose");
        future.addListener(listener("a"));
        future.addListener(new Throwing(thrown));
        future.addListener(listener("c"));
        try (CapturedLog log = CapturedLog.start()) {
            assertTrue(future.setSuccess());
            assertLogged(log, future.toString(), thrown);
        }
        assertEquals(List.of("a", "c"), calls);
    }

    @Test
    void shouldCallTheOthersWhenAListenerThrowsAnError() {
        future.addListener(done -> {
            throw new AssertionError("thrown on purpose");
        });
        future.addListener(listener("next"));
        assertTrue(future.setSuccess());
        assertEquals(List.of("next"), calls);
    }

    /** A listener's exception is logged with the listener's name. */
    @Test
    void shouldCallTheOthersWhenAListenerAndItsToStringThrow() {
        future.addListener(new ChannelFutureListener() {
            @Override
            public void operationComplete(ChannelFuture completed) {
                throw new IllegalStateException("thrown on purpose");
            }

            @Override
            public String toString() {
                throw new IllegalStateException("thrown on purpose");
            }
        });
        future.addListener(listener("next"));
        assertTrue(future.setSuccess());
        assertEquals(List.of("next"), calls);
    }

    @Test
    void shouldNotThrowAtTheCallerThatAddsAThrowingListenerLate() {
        future.setSuccess();
        future.addListener(done -> {
            throw new IOException("thrown on purpose");
        });
        future.addListener(listener("next"));
        assertEquals(List.of("next"), calls);
    }

    @Test
    void shouldNotifyTheOthersAndLogItWhenAProgressListenerThrows() {
        IllegalStateException thrown = new IllegalStateException("on purpose");
        future.addListener(new Throwing(thrown));
        future.addListener(new ChannelFutureProgressListener() {
            @Override
            public void operationProgressed(ChannelFuture source, long amount, long current, long total) {
                calls.add(amount + "/" + current + "/" + total);
            }

            @Override
            public void operationComplete(ChannelFuture source) {}
        });
        try (CapturedLog log = CapturedLog.start()) {
            assertTrue(future.setProgress(1, 2, 3));
            assertLogged(log, future.toString(), thrown);
        }
        assertEquals(List.of("1/2/3"), calls);
    }

    // ---- listeners that complete other futures ----

    /** Also on a thread that has never called a listener. */
    @Test
    void shouldCompleteALongChainOfFuturesWithoutExhaustingTheStack() {
        DefaultChannelFuture first = new DefaultChannelFuture(channel, false);
        DefaultChannelFuture last = first;
        for (int i = 0; i < CHAIN; i++) {
            DefaultChannelFuture next = new DefaultChannelFuture(channel, false);
            last.addListener(new ChannelFutureNotifier(next));
            last = next;
        }
        Thread completing = new Thread(first::setSuccess);
        completing.start();
        Await.end(completing);
        assertTrue(last.isSuccess());
    }

    @Test
    void shouldSurviveAListenerThatKeepsAddingItselfToDoneFutures() {
        AtomicInteger left = new AtomicInteger(CHAIN);
        future.addListener(new ChannelFutureListener() {
            @Override
            public void operationComplete(ChannelFuture done) {
                if (left.getAndDecrement() > 0) {
                    new SucceededChannelFuture(done.getChannel()).addListener(this);
                }
            }
        });
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
                order.add(depth); // after all listeners that are nested deeper
            });
            next = outer;
        }
        next.setSuccess();
        for (int i = 0; i < order.size(); i++) {
            assertEquals(ListenerCalls.DEEPEST_NESTING - i, order.get(i));
        }
        assertEquals(ListenerCalls.DEEPEST_NESTING, order.size());
    }

    private void complete(ChannelFutureListener listener) {
        DefaultChannelFuture completed = new DefaultChannelFuture(channel, false);
        completed.addListener(listener);
        completed.setSuccess();
    }

    /** Runs an action in a listener as deep as listeners are called right away. */
    private void runDeep(Runnable innermost) {
        Runnable next = innermost;
        for (int i = 0; i < ListenerCalls.DEEPEST_NESTING; i++) {
            Runnable inner = next;
            next = () -> complete(done -> inner.run());
        }
        next.run();
    }

    /** Once more, because the first time must not leave anything behind. */
    @Test
    void shouldCallListenersBeyondTheLimitInTheOrderOfCompletionEachTime() {
        for (int i = 0; i < ListenerCalls.DEEPEST_NESTING; i++) {
            calls.clear();
            runDeep(() -> {
                List.of("a", "b", "c").forEach(name -> complete(listener(name)));
                calls.add("innermost");
            });
            assertEquals(List.of("innermost", "a", "b", "c"), calls);
        }
    }

    /** The thread may live for as long as the process. */
    @Test
    void shouldNotKeepADeferredListenerInMemory() {
        WeakReference<Object> used = useInADeferredListener();
        assertEquals(1, calls.size());
        Await.until(
                () -> {
                    System.gc();
                    return used.get() == null;
                },
                "the collection of what a listener used");
    }

    private WeakReference<Object> useInADeferredListener() {
        Object used = new Object();
        runDeep(() -> complete(done -> calls.add(used.toString())));
        return new WeakReference<>(used);
    }

    @Test
    void shouldCallListenersBeyondTheLimitOnceTheOutermostHasReturned() {
        complete(outermost -> {
            runDeep(() -> complete(listener("deferred")));
            calls.add("outermost");
        });
        assertEquals(List.of("outermost", "deferred"), calls);
    }
}
