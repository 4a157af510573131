package org.freshet.testkit.simulation;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Looks at a simulation from time to time while it runs, to notice a thread that blocks or never returns. Used by the
 * thread that waits for the end.
 */
final class Lookout {
    /** The usual interval between looks. */
    static final long LOOK_MILLIS = 50;

    /** How often in a row the running thread must be found waiting to count as blocked: 0.3 s. */
    private static final int BLOCKED_LOOKS = 6;

    /** How often in a row the running thread must be found at the same step to count as never returning: 10 s. */
    private static final int LOST_LOOKS = 200;

    private final CountDownLatch ended;
    private final IntSupplier steps;
    private final Supplier<Thread> running;
    private final long lookMillis;

    /**
     * @param steps counts what the simulation does
     * @param running returns the thread that should be running; null for none, or if it waits for the baton
     */
    Lookout(CountDownLatch ended, IntSupplier steps, Supplier<Thread> running, long lookMillis) {
        this.ended = ended;
        this.steps = steps;
        this.running = running;
        this.lookMillis = lookMillis;
    }

    /** Returns what is wrong with the simulation; null if it has ended. */
    String awaitEnd(long timeoutSeconds) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        int waitingLooks = 0;
        int looks = 0;
        int seenSteps = -1;
        while (!ended.await(lookMillis, TimeUnit.MILLISECONDS)) {
            int now = steps.getAsInt();
            Thread thread = running.get();
            boolean isAtSameStep = now == seenSteps && thread != null && !isStarting(thread);
            looks = isAtSameStep ? looks + 1 : 0;
            waitingLooks = isAtSameStep && isWaiting(thread) ? waitingLooks + 1 : 0;
            seenSteps = now;
            if (waitingLooks == BLOCKED_LOOKS) {
                return "a handler or task blocks in real time, beyond the seed's control: use the network's timer";
            }
            if (looks == LOST_LOOKS) {
                return "a handler or task has not returned for " + LOST_LOOKS * lookMillis / 1000 + " s";
            }
            if (System.nanoTime() - deadline > 0) {
                return "no end after " + timeoutSeconds + " s";
            }
        }
        return null;
    }

    private static boolean isWaiting(Thread thread) {
        Thread.State state = thread.getState();
        return state == Thread.State.TIMED_WAITING || state == Thread.State.WAITING || state == Thread.State.BLOCKED;
    }

    /** Returns whether a thread has been given the baton but has not run yet. */
    private static boolean isStarting(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Baton.class.getName())
                        && frame.getMethodName().equals("awaitBaton"));
    }
}
