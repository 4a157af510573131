package org.freshet.handler.execution;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelLocal;
import org.freshet.internal.handler.ReadLimit;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.util.ObjectSizeEstimator;

/**
 * Counts the bytes of the events waiting in an executor, per channel and in total. A channel that reaches its limit is
 * not read until half of that is left. A channel that adds an event while the total is at its limit is not read until
 * half of that total is left. No thread ever waits.
 *
 * <p>Any thread may call any method; there is no lock. Only the thread that adds an event suspends reading, before it
 * can read another one, so no thread depends on the timing of another. Afterwards it checks whether the event has
 * already run, so nothing stays suspended by mistake.
 */
final class MemoryLimits {
    /** The account of one channel. */
    final class Account {
        private final ReadSuspension reading;
        private final AtomicLong bytes = new AtomicLong();
        private final ReadLimit channelLimit;

        private Account(ReadSuspension reading) {
            this.reading = reading;
            this.channelLimit = new ReadLimit(reading, this::isBelowChannelLimit);
        }

        private void suspendAtChannelLimit() {
            long limit = maxChannelBytes;
            if (limit > 0 && bytes.get() >= limit) {
                channelLimit.suspend();
            } else {
                channelLimit.resumeIfLow();
            }
        }

        private boolean isBelowChannelLimit() {
            long limit = maxChannelBytes;
            return limit == 0 || bytes.get() <= limit / 2;
        }
    }

    private final ChannelLocal<Account> accounts = new ChannelLocal<>();
    private final AtomicLong totalBytes = new AtomicLong();

    /** The thread that adds an account suspends its reading once; the thread that removes it resumes it once. */
    private final Set<Account> suspendedByTotal = ConcurrentHashMap.newKeySet();

    private volatile ObjectSizeEstimator estimator;

    /** 0 means no limit. */
    private volatile long maxChannelBytes;

    /** 0 means no limit. */
    private final long maxTotalBytes;

    MemoryLimits(long maxChannelBytes, long maxTotalBytes, ObjectSizeEstimator estimator) {
        if (maxTotalBytes < 0) {
            throw new IllegalArgumentException("maxTotalMemorySize < 0: " + maxTotalBytes);
        }
        this.maxTotalBytes = maxTotalBytes;
        setMaxChannelBytes(maxChannelBytes);
        setEstimator(estimator);
    }

    private MemoryLimits() {
        maxTotalBytes = 0;
    }

    /** Returns an instance without limits or estimator. Limits cannot be set later. */
    static MemoryLimits none() {
        return new MemoryLimits();
    }

    /** Returns null if there are no limits. */
    ObjectSizeEstimator estimator() {
        return estimator;
    }

    private void refuseChangeOfNone() {
        if (estimator == null) {
            throw new UnsupportedOperationException("downstream events have no memory limits");
        }
    }

    void changeEstimator(ObjectSizeEstimator changed) {
        refuseChangeOfNone();
        setEstimator(changed);
    }

    void changeMaxChannelBytes(long changed) {
        refuseChangeOfNone();
        setMaxChannelBytes(changed);
    }

    private void setEstimator(ObjectSizeEstimator estimator) {
        this.estimator = Objects.requireNonNull(estimator, "objectSizeEstimator");
    }

    long maxChannelBytes() {
        return maxChannelBytes;
    }

    private void setMaxChannelBytes(long maxChannelBytes) {
        if (maxChannelBytes < 0) {
            throw new IllegalArgumentException("maxChannelMemorySize < 0: " + maxChannelBytes);
        }
        this.maxChannelBytes = maxChannelBytes;
    }

    long maxTotalBytes() {
        return maxTotalBytes;
    }

    /** Returns the bytes of all events that currently count. */
    long totalBytes() {
        return totalBytes.get();
    }

    /** Counts an event that is about to wait. If the estimator throws, nothing is counted. */
    void charge(ChannelEventRunnable event) {
        if (maxChannelBytes == 0 && maxTotalBytes == 0) {
            return;
        }
        int bytes = Math.max(0, estimator.estimateSize(event));
        Account account = accountOf(event.getContext());
        event.charge(account, bytes);
        account.bytes.addAndGet(bytes);
        totalBytes.addAndGet(bytes);
        account.suspendAtChannelLimit();
        suspendAtTotalLimit(account);
    }

    /** Stops counting an event. Does nothing if it does not count. */
    void release(ChannelEventRunnable event) {
        Account account = event.takeAccount();
        if (account != null) {
            totalBytes.addAndGet(-event.chargedBytes());
            account.bytes.addAndGet(-event.chargedBytes());
            account.channelLimit.resumeIfLow();
            resumeBelowTotalLimit();
        }
    }

    private Account accountOf(ChannelHandlerContext ctx) {
        Channel channel = ctx.getChannel();
        Account account = accounts.get(channel);
        if (account != null) {
            return account;
        }
        Account made = new Account(suspensionOf(ctx));
        Account first = accounts.setIfAbsent(channel, made);
        return first != null ? first : made;
    }

    private static ReadSuspension suspensionOf(ChannelHandlerContext ctx) {
        return ctx.getHandler() instanceof ExecutionHandler handler
                ? handler.readSuspension(ctx)
                : ReadSuspension.at(ctx);
    }

    private void suspendAtTotalLimit(Account account) {
        if (maxTotalBytes > 0 && totalBytes.get() >= maxTotalBytes && suspendedByTotal.add(account)) {
            account.reading.suspend();
            resumeBelowTotalLimit();
        }
    }

    private void resumeBelowTotalLimit() {
        if (suspendedByTotal.isEmpty() || !isBelowTotalLimit()) {
            return;
        }
        for (Account account : suspendedByTotal) {
            resumeBelowTotalLimit(account);
        }
    }

    /** Checks again after ending the suspension, for the same reason as {@link ReadLimit}. */
    private void resumeBelowTotalLimit(Account account) {
        while (isBelowTotalLimit() && suspendedByTotal.remove(account)) {
            if (isBelowTotalLimit() || !suspendAgain(account)) {
                account.reading.resume();
                return;
            }
        }
    }

    private boolean suspendAgain(Account account) {
        try {
            return suspendedByTotal.add(account);
        } catch (OutOfMemoryError withoutMemory) { // a suspension that isn't remembered would never end
            return false;
        }
    }

    private boolean isBelowTotalLimit() {
        return totalBytes.get() <= maxTotalBytes / 2;
    }

    /** Called at the end, when no more events will be released. */
    void resumeAllSuspendedByTotal() {
        for (Account account : suspendedByTotal) {
            if (suspendedByTotal.remove(account)) {
                account.reading.resume();
            }
        }
    }
}
