package org.freshet.channel.socket.oio;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.channel.Channel;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.telemetry.ConnectionCounters;
import org.freshet.internal.time.SafetyTimer;

/**
 * The channels of one factory, each from its opening until its I/O thread has ended, so all can be closed together. Any
 * thread may call it.
 */
final class LiveChannels {
    /** The operations the factory needs on a channel. */
    interface Member extends SerialChannel {
        /** Closes a channel created after the shutdown. No event is fired. */
        void refuseOpen();

        /** Closes the channel. Its thread, if it has one, ends soon and calls {@link #remove}. */
        void onShutdown();

        /**
         * Whether the caller runs the channel's events. If so, the channel's thread cannot end while the caller waits.
         */
        boolean inIoThread();
    }

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ConnectionCounters counters;
    private final Set<Member> members = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition emptied = lock.newCondition();

    /** No channel can be added any more. */
    private volatile boolean closed;

    /** @param role see {@link ConnectionCounters} */
    LiveChannels(String role) {
        counters = new ConnectionCounters(role);
    }

    ConnectionCounters counters() {
        return counters;
    }

    /** Returns false once {@link #closeAll} has begun. The caller must then close the channel itself. */
    boolean add(Member channel) {
        SafetyTimer.ensureSharedRetries(); // the timer's thread may have found no memory to start
        members.add(channel);
        if (!closed) {
            return true;
        }
        remove(channel);
        return false;
    }

    void remove(Member channel) {
        members.remove(channel);
        if (closed && members.isEmpty()) {
            lock.lock();
            try {
                emptied.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Returns the channels that this server has accepted. */
    List<Channel> childrenOf(Channel server) {
        List<Channel> children = new ArrayList<>();
        for (Member member : members) {
            if (member.getParent() == server) {
                children.add(member);
            }
        }
        return children;
    }

    /**
     * Closes every channel and waits until their threads have ended. No channel can be added from now on.
     *
     * @throws IllegalStateException if the caller is the I/O thread of one of the channels
     */
    void closeAll() {
        refuseOnIoThread();
        closed = true;
        members.forEach(Member::onShutdown);
        lock.lock();
        try {
            awaitEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void awaitEmpty() {
        boolean isInterrupted = false;
        while (!members.isEmpty()) {
            SafetyTimer.ensureSharedRetries(); // a close may wait for the timer, whose thread could not be started
            try {
                emptied.awaitNanos(RETRY_NANOS);
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void refuseOnIoThread() {
        for (Member channel : members) {
            if (channel.inIoThread()) {
                throw new IllegalStateException(
                        "shutdown() and releaseExternalResources() wait for I/O threads to end and"
                                + " were called from that of " + channel + ", which would wait for itself: "
                                + Thread.currentThread().getName());
            }
        }
    }
}
