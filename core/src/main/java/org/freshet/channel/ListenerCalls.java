package org.freshet.channel;

import java.util.ArrayDeque;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Calls listeners and protects the caller from them: what they throw is logged, and a long chain of futures whose listeners
 * complete other futures cannot exhaust the stack.
 *
 * <p>A listener is called right away, also within another listener, as callers expect. Only from a nesting of {@value
 * #DEEPEST_NESTING} on it is deferred until the thread has returned to its outermost listener. An instance belongs to
 * one thread.
 */
final class ListenerCalls {
    /** Allows some ten kilobytes of stack a level where a thread has the usual half megabyte or more. */
    static final int DEEPEST_NESTING = 32;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(ListenerCalls.class);

    private static final ThreadLocal<ListenerCalls> OF_THREAD = ThreadLocal.withInitial(ListenerCalls::new);

    private record Call(ChannelFutureListener listener, ChannelFuture future) {}

    /** Listeners that are being called on this thread, one inside the other. */
    private int nesting;

    /** Deferred calls, in order; null until there is one. */
    private ArrayDeque<Call> postponed;

    /** Calls {@link ChannelFutureListener#operationComplete}. */
    static void complete(ChannelFutureListener listener, ChannelFuture future) {
        ListenerCalls calls = OF_THREAD.get();
        if (calls.nesting == DEEPEST_NESTING) {
            calls.postpone(new Call(listener, future));
            return;
        }
        calls.callNested(listener, future);
        if (calls.nesting == 0 && calls.postponed != null) {
            calls.runPostponed();
        }
    }

    /** Calls {@link ChannelFutureProgressListener#operationProgressed}. */
    static void progress(
            ChannelFutureProgressListener listener, ChannelFuture future, long amount, long current, long total) {
        try {
            listener.operationProgressed(future, amount, current, total);
        } catch (Throwable cause) {
            logFailure(listener, future, cause);
        }
    }

    private void callNested(ChannelFutureListener listener, ChannelFuture future) {
        nesting++;
        try {
            listener.operationComplete(future);
        } catch (Throwable cause) {
            logFailure(listener, future, cause);
        } finally {
            nesting--;
        }
    }

    private void postpone(Call call) {
        if (postponed == null) {
            postponed = new ArrayDeque<>();
        }
        postponed.add(call);
    }

    private void runPostponed() {
        nesting++; // so that a listener called here does not come back to this loop
        try {
            for (Call call = postponed.poll(); call != null; call = postponed.poll()) {
                callNested(call.listener, call.future);
            }
        } finally {
            nesting--;
            postponed = null;
        }
    }

    private static void logFailure(ChannelFutureListener listener, ChannelFuture future, Throwable cause) {
        try {
            logger.warn("listener " + listener + " threw when it was called with " + future, cause);
        } catch (Throwable unloggable) { // by its toString(), or for want of memory: the listeners behind it must be
            // called
            // Nothing else can be done about it.
        }
    }
}
