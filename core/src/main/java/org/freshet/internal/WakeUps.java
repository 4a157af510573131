package org.freshet.internal;

/**
 * The threads that an I/O loop has to wake. It wakes them when it has handled the channels that were ready, or many of
 * them: if it woke each thread immediately, that thread would take the processor from the loop, find one message, and
 * wait again.
 *
 * <p>Threading: {@link #wake} may be called by any thread; everything else belongs to the loop.
 */
public final class WakeUps {
    /** Few enough that the first of them doesn't wait long while other processors are idle. */
    static final int MAX_THREADS = 64;

    /** The list of threads to wake; null if it is empty. */
    private WaitingThread first;

    private WaitingThread last;
    private int count;

    /** Wakes each thread of a list, which may be null: soon if the caller is an I/O loop, otherwise immediately. */
    public static void wake(WaitingThread list) {
        if (list == null) {
            return;
        }
        WakeUps later = IoThreads.wakeUps();
        if (later == null) {
            WaitingThread.wakeAll(list);
        } else {
            later.add(list);
        }
    }

    private void add(WaitingThread list) {
        for (WaitingThread each = list; each != null; ) {
            WaitingThread rest = each.next();
            addOne(each);
            each = rest;
        }
        if (count >= MAX_THREADS) {
            run();
        }
    }

    /** Puts platform threads in front: a virtual thread that leads may have to wait for a carrier. */
    private void addOne(WaitingThread added) {
        if (first == null) {
            added.setNext(null);
            first = added;
            last = added;
        } else if (added.isVirtual()) {
            added.setNext(null);
            last.setNext(added);
            last = added;
        } else {
            added.setNext(first);
            first = added;
        }
        count++;
    }

    /** Whether the loop has nothing to wake, and may wait. */
    public boolean isEmpty() {
        return first == null;
    }

    /** Wakes the threads. If memory is exhausted, some are left for the next call. */
    public void run() {
        try {
            while (first != null && !first.wakeToLead()) {
                first = first.next();
            }
        } catch (OutOfMemoryError e) { // a virtual thread has to be queued
            return;
        }
        first = null;
        last = null;
        count = 0;
    }
}
