package org.freshet.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The test's thread is the loop. */
class WakeUpsTest {
    private final WakeUps wakeUps = new WakeUps();
    private final List<Sleeper> sleepers = new ArrayList<>();

    /** A thread that waits once, and ends when it may. */
    private static final class Sleeper {
        private final AtomicReference<WaitingThread> wait = new AtomicReference<>();
        private final AtomicBoolean isWoken = new AtomicBoolean();
        private final CompletableFuture<Void> mayEnd = new CompletableFuture<>();
        private final Thread thread = new Thread(this::sleep);

        private void sleep() {
            WaitingThread caller = new WaitingThread(null);
            wait.set(caller);
            LockSupport.park(this);
            caller.onAwake();
            isWoken.set(true);
            mayEnd.join();
        }

        private boolean isParked() {
            return wait.get() != null && thread.getState() == Thread.State.WAITING;
        }
    }

    private Sleeper sleeper() {
        Sleeper sleeper = new Sleeper();
        sleepers.add(sleeper);
        sleeper.thread.start();
        Await.until(sleeper::isParked, "the thread to wait");
        return sleeper;
    }

    private static void wake(Sleeper sleeper) {
        WakeUps.wake(sleeper.wait.get());
    }

    private static void awaitWoken(Sleeper sleeper) {
        Await.until(sleeper.isWoken::get, "the wake-up");
    }

    @AfterEach
    void end() {
        IoThreads.end();
        for (Sleeper each : sleepers) {
            each.mayEnd.complete(null);
            each.thread.interrupt();
            Await.end(each.thread);
        }
    }

    @Test
    void shouldWakeImmediatelyUnlessTheCallerIsALoop() {
        Sleeper sleeper = sleeper();
        wake(sleeper);
        awaitWoken(sleeper);
    }

    @Test
    void shouldWakeImmediatelyWhereAThreadIsOnlyMarked() {
        IoThreads.begin();
        Sleeper sleeper = sleeper();
        wake(sleeper);
        awaitWoken(sleeper);
    }

    @Test
    void shouldWakeAllThreadsWhenTheLoopHasDoneItsWork() {
        IoThreads.begin(wakeUps);
        List<Sleeper> all = List.of(sleeper(), sleeper(), sleeper());
        all.forEach(WakeUpsTest::wake);
        assertFalse(wakeUps.isEmpty());
        assertTrue(all.stream().allMatch(Sleeper::isParked));

        wakeUps.run();

        assertTrue(wakeUps.isEmpty());
        all.forEach(WakeUpsTest::awaitWoken);
    }

    @Test
    void shouldWakeEachThreadOfAList() {
        IoThreads.begin(wakeUps);
        List<Sleeper> all = List.of(sleeper(), sleeper(), sleeper(), sleeper());
        all.get(0).wait.get().setNext(all.get(1).wait.get());
        all.get(2).wait.get().setNext(all.get(3).wait.get());
        wake(all.get(0));
        wake(all.get(2));

        wakeUps.run();

        all.forEach(WakeUpsTest::awaitWoken);
    }

    @Test
    void shouldWakeTheOthersWhenTheFirstHasWokenUpByItself() {
        IoThreads.begin(wakeUps);
        List<Sleeper> all = List.of(sleeper(), sleeper(), sleeper());
        all.forEach(WakeUpsTest::wake);
        all.get(0).thread.interrupt();
        awaitWoken(all.get(0));

        wakeUps.run();

        all.forEach(WakeUpsTest::awaitWoken);
    }

    @Test
    void shouldNotWaitForTheEndOfTheWorkWithManyThreads() {
        IoThreads.begin(wakeUps);
        List<Sleeper> all = new ArrayList<>();
        while (all.size() < WakeUps.MAX_THREADS) {
            assertTrue(all.stream().noneMatch(each -> each.isWoken.get()));
            Sleeper sleeper = sleeper();
            all.add(sleeper);
            wake(sleeper);
        }
        assertTrue(wakeUps.isEmpty());
        all.forEach(WakeUpsTest::awaitWoken);
    }

    @Test
    void shouldWakeInASecondRoundToo() {
        IoThreads.begin(wakeUps);
        for (int round = 0; round < 2; round++) {
            Sleeper sleeper = sleeper();
            wake(sleeper);
            wakeUps.run();
            awaitWoken(sleeper);
        }
    }

    /** Threads that never give their carriers back until they may. */
    private static void occupyCarriers(AtomicBoolean mayEnd, CountDownLatch ended) {
        CountDownLatch begun = new CountDownLatch((int) ended.getCount());
        for (long i = ended.getCount(); i > 0; i--) {
            VirtualThreads.executor().execute(() -> {
                begun.countDown();
                while (!mayEnd.get()) {
                    Thread.onSpinWait();
                }
                ended.countDown();
            });
        }
        Await.latch(begun, "all carriers to be busy");
    }

    @Test
    void shouldNotLetAPlatformThreadWaitForACarrier() {
        assumeTrue(VirtualThreads.exist());
        IoThreads.begin(wakeUps);
        AtomicReference<Thread> virtual = new AtomicReference<>();
        CompletableFuture<WaitingThread> wait = new CompletableFuture<>();
        CountDownLatch woken = new CountDownLatch(1);
        VirtualThreads.executor().execute(() -> {
            virtual.set(Thread.currentThread());
            wait.complete(new WaitingThread(null));
            LockSupport.park(this);
            wait.join().onAwake();
            woken.countDown();
        });
        WaitingThread first = Await.result(wait, "the virtual thread");
        Await.until(() -> virtual.get().getState() == Thread.State.WAITING, "the virtual thread to wait");
        Sleeper second = sleeper();
        AtomicBoolean mayEnd = new AtomicBoolean();
        CountDownLatch ended = new CountDownLatch(Runtime.getRuntime().availableProcessors());
        try {
            occupyCarriers(mayEnd, ended);
            WakeUps.wake(first);
            wake(second);
            wakeUps.run();
            awaitWoken(second);
        } finally {
            mayEnd.set(true);
        }
        Await.latch(woken, "the virtual thread");
        Await.latch(ended, "the other virtual threads");
    }
}
