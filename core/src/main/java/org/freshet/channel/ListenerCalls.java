package org.freshet.channel;

import org.freshet.internal.FailureWitness;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Calls listeners and protects the caller from them: exceptions are logged, and a long chain of futures whose listeners complete other
 * futures cannot exhaust the stack.
 *
 * <p>A listener is called immediately, even within another listener, as callers expect. From a nesting of {@value #DEEPEST_NESTING} on, the
 * call is deferred until the thread has returned to its outermost listener.
 *
 * <p>The thread-local that stays behind is a JDK array. An instance of one of Freshet's classes would keep its class loader alive as long
 * as the thread, which may belong to a container.
 */
final class ListenerCalls {
    /** Allows about ten kilobytes of stack per level where a thread has the usual half megabyte or more. */
    static final int DEEPEST_NESTING = 32;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(ListenerCalls.class);

    /** Index of the number of listener calls that are nested on a thread. */
    private static final int NESTING = 0;

    /** Index of the number of deferred calls of a thread. */
    private static final int WAITING = 1;

    private static final ThreadLocal<int[]> COUNTS = ThreadLocal.withInitial(() -> new int[2]);

    /** The deferred calls of a thread, in order; set only while there are any. */
    private static final ThreadLocal<Postponed> POSTPONED = new ThreadLocal<>();

    /** A deferred call, and the one after it. */
    private static final class Call {
        final ChannelFutureListener listener;
        final ChannelFuture future;
        Call next;

        Call(ChannelFutureListener listener, ChannelFuture future) {
            this.listener = listener;
            this.future = future;
        }
    }

    /** A queue that never needs memory once a call exists. */
    private static final class Postponed {
        private Call first;
        private Call last;

        void add(Call call) {
            if (first == null) {
                first = call;
            } else {
                last.next = call;
            }
            last = call;
        }

        /** Null if the queue is empty. */
        Call poll() {
            Call polled = first;
            first = polled == null ? null : polled.next;
            return polled;
        }
    }

    private ListenerCalls() {}

    /** Calls {@link ChannelFutureListener#operationComplete}. */
    static void complete(ChannelFutureListener listener, ChannelFuture future) {
        int[] counts = countsIfMemory();
        if (counts == null) {
            call(listener, future);
            return;
        }
        if (counts[NESTING] >= DEEPEST_NESTING && postpone(counts, listener, future)) {
            return;
        }
        callNested(counts, listener, future);
        if (counts[NESTING] == 0 && counts[WAITING] > 0) {
            runPostponed(counts);
        }
    }

    /** Calls {@link ChannelFutureProgressListener#operationProgressed}. */
    static void progress(
            ChannelFutureProgressListener listener, ChannelFuture future, long amount, long current, long total) {
        ChannelScopes.run(future.getChannel(), () -> callProgress(listener, future, amount, current, total));
    }

    /** Null if there is no memory for a thread's first call. */
    private static int[] countsIfMemory() {
        try {
            return COUNTS.get();
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    private static void callNested(int[] counts, ChannelFutureListener listener, ChannelFuture future) {
        counts[NESTING]++;
        try {
            if (ChannelScopes.installed() == null) {
                call(listener, future);
            } else {
                callInScope(listener, future);
            }
        } finally {
            counts[NESTING]--;
        }
    }

    private static void callInScope(ChannelFutureListener listener, ChannelFuture future) {
        Runnable work;
        try {
            work = () -> call(listener, future);
        } catch (OutOfMemoryError e) {
            call(listener, future);
            return;
        }
        ChannelScopes.run(future.getChannel(), work);
    }

    private static void call(ChannelFutureListener listener, ChannelFuture future) {
        try {
            listener.operationComplete(future);
        } catch (Throwable cause) {
            logFailure(listener, future, cause);
        }
    }

    private static void callProgress(
            ChannelFutureProgressListener listener, ChannelFuture future, long amount, long current, long total) {
        try {
            listener.operationProgressed(future, amount, current, total);
        } catch (Throwable cause) {
            logFailure(listener, future, cause);
        }
    }

    /** Returns false if memory is exhausted; the listener is then called one level deeper. */
    private static boolean postpone(int[] counts, ChannelFutureListener listener, ChannelFuture future) {
        try {
            Call call = new Call(listener, future);
            Postponed calls = POSTPONED.get();
            if (calls == null) {
                calls = new Postponed();
                POSTPONED.set(calls);
            }
            calls.add(call);
            counts[WAITING]++;
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    private static void runPostponed(int[] counts) {
        Postponed calls = POSTPONED.get();
        counts[NESTING]++; // keeps a listener called here from entering this loop
        try {
            for (Call call = calls.poll(); call != null; call = calls.poll()) {
                callNested(counts, call.listener, call.future);
            }
        } finally {
            counts[NESTING]--;
            counts[WAITING] = 0;
            POSTPONED.remove();
        }
    }

    private static void logFailure(ChannelFutureListener listener, ChannelFuture future, Throwable cause) {
        try {
            FailureWitness.notifyCurrent(cause);
            logger.warn("listener " + listener + " threw when it was called with " + future, cause);
        } catch (Throwable unloggable) {
            // Thrown by its toString(), or out of memory: the remaining listeners must still be called.
        }
    }
}
