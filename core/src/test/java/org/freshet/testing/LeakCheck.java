package org.freshet.testing;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Fails a test class that leaves a thread of Freshet (or of the Netty it is compared with), an open selector or an open
 * socket behind, and prints the seed of {@link Seeds} beside each failed test.
 *
 * <p>It is on for every class without further ado. What is about to end gets {@link #GRACE_NANOS} to do so.
 */
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback, TestWatcher {
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_MILLIS = 10;

    private static final Namespace STORE = Namespace.create(LeakCheck.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getStore(STORE).put(context.getUniqueId(), Resources.inUse());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Resources before = context.getStore(STORE).get(context.getUniqueId(), Resources.class);
        Resources left = Resources.inUse().without(before);
        long deadlineNanos = System.nanoTime() + GRACE_NANOS;
        while (!left.isEmpty() && System.nanoTime() - deadlineNanos < 0) {
            waitALittle(left);
            left = Resources.inUse().without(before);
        }
        if (!left.isEmpty()) {
            throw new AssertionError(context.getDisplayName() + " left behind:\n" + left.describe());
        }
    }

    private static void waitALittle(Resources left) {
        Optional<Thread> thread = left.threads().stream().findFirst();
        if (thread.isEmpty()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
            return;
        }
        try {
            thread.get().join(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the end of " + thread.get(), e);
        }
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        System.err.println(context.getDisplayName() + " failed; to repeat its random numbers: -D" + Seeds.PROPERTY + "="
                + Seeds.seed());
    }
}
