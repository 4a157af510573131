package org.freshet.testing;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Fails a test class that leaves a Freshet thread, a selector, a socket or bytes in the memory budget behind, and prints
 * the seed of {@link Seeds} with each failed test. Classes that run at the same time cannot be told apart, so they are
 * checked together when the last of them ends. After each test, its {@link MemoryChannel}s are closed: it fails if their
 * handlers don't release what they have charged.
 *
 * <p>It is enabled for every class automatically. Resources that are about to end have {@link #GRACE_NANOS} to do so,
 * and garbage is collected meanwhile: before Java 21 a {@code java.net.http} client ends with the last reference to it.
 */
public final class LeakCheck implements BeforeAllCallback, AfterEachCallback, AfterAllCallback, TestWatcher {
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_MILLIS = 10;

    /** A collection takes several tenths of a second. */
    private static final int POLLS_A_COLLECTION = 100;

    private static final ReentrantLock lock = new ReentrantLock();

    /** Test classes that are running. Guarded by the lock. */
    private static int running;

    /** The resources that existed when no class was running. Guarded by the lock. */
    private static Resources before;

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isNested(context)) {
            return;
        }
        lock.lock();
        try {
            if (running++ == 0) {
                before = Resources.inUse();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether this class is checked with the one around it. */
    private static boolean isNested(ExtensionContext context) {
        return context.getParent().flatMap(ExtensionContext::getTestClass).isPresent();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        lock.lock();
        try {
            if (running == 1) { // otherwise, the channels of other classes would be closed
                settleAccounts(context.getDisplayName());
            }
        } finally {
            lock.unlock();
        }
    }

    private static void settleAccounts(String name) {
        Accounts.closeAll();
        long deadlineNanos = System.nanoTime() + GRACE_NANOS;
        while (Accounts.areUnsettled() && System.nanoTime() - deadlineNanos < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
        }
        if (Accounts.areUnsettled()) {
            throw new AssertionError(name + " left behind:\n" + Accounts.takeUnsettled());
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (isNested(context)) {
            return;
        }
        lock.lock(); // a class that is about to start waits for the check
        try {
            if (--running == 0) {
                settleAccounts(context.getDisplayName());
                check(context.getDisplayName());
            }
        } finally {
            lock.unlock();
        }
    }

    private static void check(String name) {
        Resources left = Resources.inUse().without(before);
        long deadlineNanos = System.nanoTime() + GRACE_NANOS;
        for (int polls = 1; !left.isEmpty() && System.nanoTime() - deadlineNanos < 0; polls++) {
            if (polls % POLLS_A_COLLECTION == 0) {
                System.gc();
            }
            waitALittle(left);
            left = Resources.inUse().without(before);
        }
        if (!left.isEmpty()) {
            throw new AssertionError(name + " left behind:\n" + left.describe());
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
