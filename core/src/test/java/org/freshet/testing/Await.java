package org.freshet.testing;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.freshet.channel.ChannelFuture;

/**
 * Waits for what another thread does, at most for {@link #LIMIT}. The caller's words complete the sentence "timed out
 * waiting for ...". An interrupt, such as that of JUnit's time limit, ends the wait with a failure.
 *
 * <p>The limit only bounds how long a failing test takes. It says nothing about how long the code under test may take.
 */
public final class Await {
    public static final Duration LIMIT = Duration.ofSeconds(30);

    /** The interval between two checks of a condition that no thread signals. */
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Await() {}

    public static void latch(CountDownLatch latch, String awaited) {
        try {
            if (!latch.await(LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
                throw inVain(awaited + " (" + latch.getCount() + " to go)");
            }
        } catch (InterruptedException e) {
            throw interrupted(awaited);
        }
    }

    /** Waits until the future is done, however it ends. */
    public static <F extends ChannelFuture> F done(F future, String awaited) {
        try {
            if (!future.await(LIMIT.toMillis())) {
                throw inVain(awaited + ": " + future);
            }
            return future;
        } catch (InterruptedException e) {
            throw interrupted(awaited);
        }
    }

    /** Waits until the future is done and fails unless it succeeded. */
    public static <F extends ChannelFuture> F success(F future, String awaited) {
        done(future, awaited);
        if (!future.isSuccess()) {
            throw new AssertionError(awaited + " did not succeed: " + future, future.getCause());
        }
        return future;
    }

    /** Waits until the future is done and returns its cause; fails if it has succeeded. */
    public static Throwable failure(ChannelFuture future, String awaited) {
        Throwable cause = done(future, awaited).getCause();
        if (cause == null) {
            throw new AssertionError(awaited + " did not fail: " + future);
        }
        return cause;
    }

    /** Waits for a result. */
    public static <T> T result(Future<T> future, String awaited) {
        try {
            return future.get(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw inVain(awaited);
        } catch (ExecutionException e) {
            throw new AssertionError(awaited + " failed", e.getCause());
        } catch (InterruptedException e) {
            throw interrupted(awaited);
        }
    }

    /** Waits for the end of a thread. */
    public static void end(Thread thread) {
        try {
            thread.join(LIMIT.toMillis());
        } catch (InterruptedException e) {
            throw interrupted("the end of " + thread);
        }
        if (thread.isAlive()) {
            throw inVain("the end of " + thread);
        }
    }

    /** Waits until a thread waits, with or without a limit; fails if it ends instead. */
    public static void waiting(Thread thread, String awaited) {
        until(() -> !thread.isAlive() || thread.getState().name().endsWith("WAITING"), awaited);
        if (!thread.isAlive()) {
            throw new AssertionError(awaited + ": ended without waiting");
        }
    }

    /** Polls until the condition holds. Prefer a latch where the code under test accepts one. */
    public static void until(BooleanSupplier condition, String awaited) {
        until(condition, () -> awaited);
    }

    /** Like {@link #until(BooleanSupplier, String)}, with a text that says what was found instead. */
    public static void until(BooleanSupplier condition, Supplier<String> awaited) {
        long deadlineNanos = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw inVain(awaited.get());
            }
            if (Thread.interrupted()) {
                throw interrupted(awaited.get());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static AssertionError inVain(String awaited) {
        return new AssertionError("timed out waiting for " + awaited);
    }

    private static AssertionError interrupted(String awaited) {
        Thread.currentThread().interrupt();
        return new AssertionError("interrupted while waiting for " + awaited);
    }
}
