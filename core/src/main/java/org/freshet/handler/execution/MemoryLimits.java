package org.freshet.handler.execution;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelLocal;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.util.ObjectSizeEstimator;

/**
 * What the events that wait in an executor take of memory, for each channel and in total. A channel that reaches its
 * limit is not read until half of that is left; a channel that brings an event while the total is at its limit is not
 * read until half of that total is left. Nobody ever waits: a thread that brings more is only kept from bringing yet
 * more.
 *
 * <p>Any thread may call any method; there is no lock. Who changes a sum looks afterwards whether the holds agree with
 * it, and again after each hold it changed; so the last to change either leaves them agreeing.
 */
final class MemoryLimits {
    /** One channel's share. */
    static final class Account {
        private final ReadSuspension gate;
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicBoolean heldForItself = new AtomicBoolean();
        private final AtomicBoolean heldForTotal = new AtomicBoolean();

        private Account(ReadSuspension gate) {
            this.gate = gate;
        }

        /** Returns whether this call did it. */
        private boolean hold(AtomicBoolean hold) {
            if (!hold.compareAndSet(false, true)) {
                return false;
            }
            gate.suspend();
            return true;
        }

        /** Returns whether this call did it. */
        private boolean letGo(AtomicBoolean hold) {
            if (!hold.compareAndSet(true, false)) {
                return false;
            }
            gate.resume();
            return true;
        }
    }

    private final ChannelLocal<Account> accounts = new ChannelLocal<>();
    private final AtomicLong totalBytes = new AtomicLong();
    private final Set<Account> heldForTotal = ConcurrentHashMap.newKeySet();

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

    ObjectSizeEstimator estimator() {
        return estimator;
    }

    void setEstimator(ObjectSizeEstimator estimator) {
        this.estimator = Objects.requireNonNull(estimator, "objectSizeEstimator");
    }

    long maxChannelBytes() {
        return maxChannelBytes;
    }

    void setMaxChannelBytes(long maxChannelBytes) {
        if (maxChannelBytes < 0) {
            throw new IllegalArgumentException("maxChannelMemorySize < 0: " + maxChannelBytes);
        }
        this.maxChannelBytes = maxChannelBytes;
    }

    long maxTotalBytes() {
        return maxTotalBytes;
    }

    /** What all events count for together at the moment. */
    long totalBytes() {
        return totalBytes.get();
    }

    /** Counts an event that is about to wait. */
    void charge(ChannelEventRunnable event) {
        if (maxChannelBytes == 0 && maxTotalBytes == 0) {
            return;
        }
        int bytes = Math.max(0, estimator.estimateSize(event));
        Account account = accountOf(event.getContext());
        event.charge(account, bytes);
        account.bytes.addAndGet(bytes);
        totalBytes.addAndGet(bytes);
        settle(account);
        settleTotal(account);
    }

    /** Does not count an event any longer; does nothing if it does not count. */
    void release(ChannelEventRunnable event) {
        Account account = event.takeAccount();
        if (account != null) {
            account.bytes.addAndGet(-event.chargedBytes());
            totalBytes.addAndGet(-event.chargedBytes());
            settle(account);
            letGoBelowTotal();
        }
    }

    private Account accountOf(ChannelHandlerContext ctx) {
        Channel channel = ctx.getChannel();
        Account account = accounts.get(channel);
        if (account != null) {
            return account;
        }
        Account made = new Account(gateOf(ctx));
        Account first = accounts.setIfAbsent(channel, made);
        return first != null ? first : made;
    }

    private static ReadSuspension gateOf(ChannelHandlerContext ctx) {
        return ctx.getHandler() instanceof ExecutionHandler handler ? handler.gate(ctx) : ReadSuspension.at(ctx);
    }

    private void settle(Account account) {
        boolean changed;
        do {
            long limit = maxChannelBytes;
            long bytes = account.bytes.get();
            if (limit > 0 && bytes >= limit) {
                changed = account.hold(account.heldForItself);
            } else if (limit == 0 || bytes <= limit / 2) {
                changed = account.letGo(account.heldForItself);
            } else {
                changed = false;
            }
        } while (changed);
    }

    private void settleTotal(Account account) {
        if (maxTotalBytes > 0 && totalBytes.get() >= maxTotalBytes && account.hold(account.heldForTotal)) {
            heldForTotal.add(account);
            letGoBelowTotal();
        }
    }

    /** Whoever adds an account to the set calls this afterwards, in case those who might have let go looked before. */
    private void letGoBelowTotal() {
        if (!heldForTotal.isEmpty() && totalBytes.get() <= maxTotalBytes / 2) {
            letGoOfAllHeldForTotal();
        }
    }

    /** Also for the end, when nothing is going to be released any more. */
    void letGoOfAllHeldForTotal() {
        for (Account account : heldForTotal) {
            if (heldForTotal.remove(account)) {
                account.letGo(account.heldForTotal);
            }
        }
    }
}
