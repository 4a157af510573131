package org.freshet.channel.socket.oio;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The channels of one factory from their opening to the end of their threads, to end them all. Any thread. */
final class LiveChannels {
    /** What a channel is to its factory. */
    interface Member {
        /** Closes the channel; its thread, if it has one, ends soon and reports to {@link #remove}. */
        void closeNow();

        /** Whether the caller is busy with the channel's events, so that the channel cannot end meanwhile. */
        boolean inIoThread();
    }

    private final Set<Member> members = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition emptied = lock.newCondition();

    private volatile boolean ended;

    /** Returns false if it is too late, and then the channel is the caller's to close. */
    boolean add(Member channel) {
        members.add(channel);
        if (!ended) {
            return true;
        }
        remove(channel);
        return false;
    }

    void remove(Member channel) {
        members.remove(channel);
        if (ended && members.isEmpty()) {
            lock.lock();
            try {
                emptied.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Closes every channel and waits for the end of every thread; no channel can be added from now on.
     *
     * @throws IllegalStateException if the caller is the I/O thread of one of them
     */
    void endAll() {
        refuseOnIoThread();
        ended = true;
        members.forEach(Member::closeNow);
        lock.lock();
        try {
            while (!members.isEmpty()) {
                emptied.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void refuseOnIoThread() {
        for (Member channel : members) {
            if (channel.inIoThread()) {
                throw new IllegalStateException(
                        "shutdown() and releaseExternalResources() wait for I/O threads to end and"
                                + " were called from that of " + channel + ", which would wait for ever: "
                                + Thread.currentThread().getName());
            }
        }
    }
}
