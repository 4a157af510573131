package org.freshet.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread in one wait, and a link in a list of threads to be woken together. The first thread of such a list wakes the
 * others. For an I/O loop, waking a virtual thread is often a system call and a context switch. For another virtual
 * thread it's neither.
 *
 * <p>Threading: the waiting thread creates it, parks, and then calls {@link #onAwake}. It parks in its own method, because
 * thousands of virtual threads keep their stacks there. The links belong to the owner of the list, and at
 * last to its first thread.
 */
public final class WaitingThread {
    private enum State {
        WAITING,
        /** Woken, or about to be. It wakes the threads after it. */
        LEADING,
        /** The wait is over, for whatever reason. */
        AWAKE
    }

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(WaitingThread.class, "state", State.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Thread thread = Thread.currentThread();
    private final boolean isVirtual = VirtualThreads.isVirtual(thread);
    private volatile State state = State.WAITING;

    /** The rest of the list; null at its end. */
    private WaitingThread next;

    /**
     * Creates a wait of the calling thread.
     *
     * @param next the list to put it in front of, or null
     */
    public WaitingThread(WaitingThread next) {
        this.next = next;
    }

    boolean isVirtual() {
        return isVirtual;
    }

    public WaitingThread next() {
        return next;
    }

    public void setNext(WaitingThread next) {
        this.next = next;
    }

    /** Called by the waiting thread when it goes on, for whatever reason. Wakes the threads that it leads. */
    public void onAwake() {
        if (STATE.getAndSet(this, State.AWAKE) == State.LEADING) {
            wakeAll(next);
        }
    }

    /** Wakes each thread of a list. */
    public static void wakeAll(WaitingThread list) {
        for (WaitingThread each = list; each != null; each = each.next) {
            each.wake();
        }
    }

    private void wake() {
        while (true) {
            try {
                LockSupport.unpark(thread);
                return;
            } catch (OutOfMemoryError e) { // a virtual thread has to be queued
                Thread.yield();
            }
        }
    }

    /**
     * Wakes the thread and makes it wake the threads after it. If this throws because memory is exhausted, call it
     * again.
     *
     * @return false if its wait is over already; then the rest of the list must still be woken
     */
    boolean wakeToLead() {
        if (!STATE.compareAndSet(this, State.WAITING, State.LEADING) && state == State.AWAKE) {
            return false;
        }
        LockSupport.unpark(thread);
        return true;
    }
}
