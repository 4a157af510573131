package org.freshet.internal.race;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Finds handlers that two threads have entered at the same time although they are not marked {@code @ChannelHandler.Sharable}. For
 * debugging, with {@code -Dorg.freshet.raceCheck=true}: each call of a handler is then recorded.
 *
 * <p>Two calls in different threads are a fault if they
 *
 * <ul>
 * <li>belong to two channels: an unmarked handler belongs to one channel;
 * <li>or both handle an upstream event of one channel: these come one after the other, though on different threads behind an executor.
 *     Exceptions don't count, because a handler's failure is reported on the thread on which it failed.
 * </ul>
 *
 * <p>Downstream events of one channel are allowed at any time, because any thread may write. A thread that re-enters a handler counts as
 * one thread.
 *
 * <p><b>Threading.</b> Any thread may call any method. No lock is held while a handler runs.
 */
public final class RaceCheck {
    public static final String PROPERTY = "org.freshet.raceCheck";

    /** A constant of this JVM, so that compiled dispatch contains nothing of the check when it is off. */
    public static final boolean IS_ON = Boolean.getBoolean(PROPERTY);

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(RaceCheck.class);
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);
    public static final RaceCheck INSTANCE = new RaceCheck(System::nanoTime);

    private final LongSupplier nanoClock;

    /** The calls that have not returned. */
    private final Map<Identity, List<Call>> calls = new ConcurrentHashMap<>();

    /** By the name of the handler's class. */
    private final Map<String, Account> accounts = new ConcurrentHashMap<>();

    public RaceCheck(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** A handler as a key, compared by identity. */
    private record Identity(Object handler) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Identity identity && identity.handler == handler;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(handler);
        }
    }

    /** One call of a handler. */
    public static final class Call {
        private final Thread thread = Thread.currentThread();
        private final Identity handler;
        private final String label;
        private final Object channel;
        private final Object event;
        private final boolean isInOrder;

        /** Guarded by this object's monitor, which keeps the thread in the call while another takes its stack. */
        private boolean isOver;

        private Call(Object handler, String label, Object channel, Object event, boolean isInOrder) {
            this.handler = new Identity(handler);
            this.label = label;
            this.channel = channel;
            this.event = event;
            this.isInOrder = isInOrder;
        }

        boolean isOfSameChannel(Call other) {
            return channel == other.channel;
        }

        boolean conflictsWith(Call other) {
            return thread != other.thread && (!isOfSameChannel(other) || isInOrder && other.isInOrder);
        }

        /** Returns the thread's stack; empty if it has returned from the handler. */
        private synchronized StackTraceElement[] stack() {
            return isOver ? new StackTraceElement[0] : thread.getStackTrace();
        }

        private synchronized void end() {
            isOver = true;
        }

        @Override
        public String toString() {
            return thread.getName() + " with " + event.getClass().getSimpleName() + " of " + channel;
        }
    }

    /** The state of logging for one class. */
    private final class Account {
        /** Guarded by this object's monitor. */
        private boolean isLogged;

        private long loggedNanos;
        private int omitted;

        /** Returns how many reports were omitted since the last one; -1 if this one must be omitted. */
        synchronized int admit() {
            long now = nanoClock.getAsLong();
            if (isLogged && now - loggedNanos < QUIET_NANOS) {
                omitted++;
                return -1;
            }
            int before = omitted;
            isLogged = true;
            loggedNanos = now;
            omitted = 0;
            return before;
        }
    }

    // ---- calls ----

    /**
     * Records a call that begins now on this thread, and reports a conflicting call of another thread.
     *
     * @param handler not sharable
     * @param label its name and class
     * @param isInOrder whether it handles an event that comes after the ones before
     * @return to be passed to {@link #leave}
     */
    public Call enter(Object handler, String label, Object channel, Object event, boolean isInOrder) {
        Call call = new Call(handler, label, channel, event, isInOrder);
        for (Call other : calls.merge(call.handler, List.of(call), RaceCheck::concat)) {
            if (call.conflictsWith(other)) {
                report(call, other);
                break;
            }
        }
        return call;
    }

    public void leave(Call call) {
        call.end();
        calls.computeIfPresent(call.handler, (handler, present) -> without(call, present));
    }

    private static List<Call> concat(List<Call> present, List<Call> added) {
        List<Call> all = new ArrayList<>(present);
        all.addAll(added);
        return all;
    }

    /** Returns null if none is left. */
    private static List<Call> without(Call call, List<Call> present) {
        List<Call> left = new ArrayList<>(present);
        left.remove(call);
        return left.isEmpty() ? null : left;
    }

    /** Returns how many handlers are being called. */
    public int size() {
        return calls.size();
    }

    // ---- reports ----

    /** Never throws: the event must go on even if the report fails. */
    private void report(Call call, Call other) {
        try {
            String type = call.handler.handler.getClass().getName();
            int omitted = accounts.computeIfAbsent(type, name -> new Account()).admit();
            if (omitted >= 0) {
                logger.warn(describe(call, other, omitted), stacks(call, other));
            }
        } catch (Throwable unloggable) { // out of memory, or thrown by a logger or a channel's toString()
            // There is nothing else to do.
        }
    }

    private static String describe(Call call, Call other, int omitted) {
        String mark = "mark " + call.handler.handler.getClass().getName()
                + " with @ChannelHandler.Sharable if it is thread-safe and keeps no state of a channel.";
        String remedy = call.isOfSameChannel(other)
                ? "Fire upstream events of a channel one after the other, on its I/O thread (ChannelPipeline.execute), use"
                        + " an ExecutionHandler with an executor that keeps their order, or "
                : "Create a new one for each channel, or ";
        return "handler " + call.label + " is in two threads at once: " + other + ", and " + call + ". " + remedy + mark
                + (omitted == 0 ? "" : " (" + omitted + " more for this class not logged)");
    }

    /** Returns both threads' stacks: this one's, with the other's as its cause. */
    private static Throwable stacks(Call call, Call other) {
        StackTraceElement[] otherStack = other.stack();
        Throwable there = new Throwable("in " + other + (otherStack.length == 0 ? ", which has left the handler" : ""));
        there.setStackTrace(otherStack);
        return new Throwable("in " + call, there);
    }
}
