package org.freshet.channel.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.freshet.channel.FakeChannel;
import org.freshet.internal.FailureWitness;
import org.junit.jupiter.api.Test;

class ChannelRunnableWrapperTest {
    private final FakeChannel channel = new FakeChannel();
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void shouldSucceedAfterTheTaskHasRun() {
        ChannelRunnableWrapper wrapper = new ChannelRunnableWrapper(channel, runs::incrementAndGet);
        assertFalse(wrapper.isDone());
        wrapper.run();
        assertTrue(wrapper.isSuccess());
        assertSame(channel, wrapper.getChannel());
        assertEquals(1, runs.get());
    }

    @Test
    void shouldFailWithTheExceptionOfTheTask() {
        for (Throwable thrown : new Throwable[] {new IllegalStateException(), new AssertionError()}) {
            ChannelRunnableWrapper wrapper = new ChannelRunnableWrapper(channel, () -> sneak(thrown));
            wrapper.run();
            assertSame(thrown, wrapper.getCause());
        }
    }

    private static void sneak(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) thrown;
    }

    /** A simulation's thread judges by this whether a task that throws fails the test. */
    @Test
    void shouldNotifyAWitnessOfATaskThatThrowsUntilItIsObserved() throws InterruptedException {
        assertEquals(List.of("failed"), witnessed(task -> task.run()));
        assertEquals(List.of("failed", "observed"), witnessed(task -> {
            task.run();
            task.addListener(future -> {});
        }));
        assertEquals(List.of("failed", "observed"), witnessed(task -> {
            task.run();
            task.awaitUninterruptibly();
        }));
        assertEquals(List.of(), witnessed(task -> {
            task.addListener(future -> {});
            task.run();
        }));
    }

    private List<String> witnessed(Consumer<ChannelRunnableWrapper> use) throws InterruptedException {
        Witness witness = new Witness(() -> use.accept(new ChannelRunnableWrapper(channel, () -> {
            throw new IllegalStateException();
        })));
        witness.start();
        witness.join(30_000);
        return List.copyOf(witness.calls);
    }

    private static final class Witness extends Thread implements FailureWitness {
        final List<String> calls = new CopyOnWriteArrayList<>();

        Witness(Runnable task) {
            super(task);
        }

        @Override
        public void onLoggedFailure(Throwable cause) {
            calls.add("logged");
        }

        @Override
        public void onTaskFailed(Runnable task, Throwable cause) {
            calls.add("failed");
        }

        @Override
        public void onTaskObserved(Runnable task) {
            calls.add("observed");
        }
    }

    @Test
    void shouldNotRunACancelledTask() {
        ChannelRunnableWrapper wrapper = new ChannelRunnableWrapper(channel, runs::incrementAndGet);
        assertTrue(wrapper.cancel());
        assertFalse(wrapper.cancel());
        wrapper.run();
        assertTrue(wrapper.isCancelled());
        assertEquals(0, runs.get());
    }

    @Test
    void shouldRunOnce() {
        ChannelRunnableWrapper wrapper = new ChannelRunnableWrapper(channel, runs::incrementAndGet);
        wrapper.run();
        wrapper.run();
        assertEquals(1, runs.get());
    }

    @Test
    void shouldNotBeCancelledOnceItRuns() {
        AtomicBoolean cancelled = new AtomicBoolean(true);
        ChannelRunnableWrapper[] self = new ChannelRunnableWrapper[1];
        self[0] = new ChannelRunnableWrapper(channel, () -> cancelled.set(self[0].cancel()));
        self[0].run();
        assertFalse(cancelled.get());
        assertTrue(self[0].isSuccess());
        assertFalse(self[0].cancel());
    }

    @Test
    void shouldNotRunAnAbandonedTask() {
        ChannelRunnableWrapper wrapper = new ChannelRunnableWrapper(channel, runs::incrementAndGet);
        RuntimeException reason = new IllegalStateException("shut down");
        assertTrue(wrapper.setFailure(reason));
        wrapper.run();
        assertSame(reason, wrapper.getCause());
        assertEquals(0, runs.get());
    }

    @Test
    void shouldRefuseNullTask() {
        assertThrows(NullPointerException.class, () -> new ChannelRunnableWrapper(channel, null));
    }

    /** Outcomes: run first (task runs, success) or cancelled first (task does not run); nothing in between. */
    @Test
    void shouldEitherRunOrBeCancelledWhenBothHappenConcurrently() throws Exception {
        int rounds = 5_000;
        CyclicBarrier barrier = new CyclicBarrier(2);
        ChannelRunnableWrapper[] wrappers = new ChannelRunnableWrapper[rounds];
        AtomicInteger[] ran = new AtomicInteger[rounds];
        boolean[] cancelReturned = new boolean[rounds];
        for (int i = 0; i < rounds; i++) {
            ran[i] = new AtomicInteger();
            wrappers[i] = new ChannelRunnableWrapper(channel, ran[i]::incrementAndGet);
        }
        Thread canceller = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                meet(barrier);
                cancelReturned[i] = wrappers[i].cancel();
            }
        });
        canceller.start();
        for (int i = 0; i < rounds; i++) {
            meet(barrier);
            wrappers[i].run();
        }
        canceller.join(30_000);
        for (int i = 0; i < rounds; i++) {
            assertTrue(wrappers[i].isDone());
            assertEquals(cancelReturned[i], wrappers[i].isCancelled());
            assertNotEquals(wrappers[i].isSuccess(), wrappers[i].isCancelled());
            assertEquals(wrappers[i].isSuccess() ? 1 : 0, ran[i].get());
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("the other thread did not arrive", e);
        }
    }
}
