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
        if (first == null) {
            first = list;
        } else {
            last.setNext(list);
        }
        last = list;
        count++;
        while (last.next() != null) {
            last = last.next();
            count++;
        }
        if (count >= MAX_THREADS) {
            run();
        }
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
