package org.freshet.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The channels of the process that are not writable, and the threads that wait until one is. Knows them as objects only. Any thread may
 * call.
 *
 * <p>A channel is added when it becomes unwritable and removed when it is writable again or closed, so that channels whose peers keep up
 * cost nothing. Where both happen at once the channel may stay until it is closed, although it is writable.
 */
public final class CongestedChannels {
    private static final Set<Object> CHANNELS = ConcurrentHashMap.newKeySet();
    private static final Map<Object, Set<Thread>> WAITERS = new ConcurrentHashMap<>();

    private CongestedChannels() {}

    public static void add(Object channel) {
        CHANNELS.add(channel);
    }

    /** The channel is writable again, or closed. */
    public static void remove(Object channel) {
        CHANNELS.remove(channel);
        wake(channel);
    }

    /** The channels at this moment. */
    public static List<Object> now() {
        return new ArrayList<>(CHANNELS);
    }

    public static boolean isEmpty() {
        return CHANNELS.isEmpty();
    }

    // ---- threads that wait ------------------------------------------------------------------------------------------

    /**
     * Parks the caller until the channel is removed, the timeout elapses, or spuriously. Returns immediately if {@code mayGoOn} is already
     * true.
     *
     * @param mayGoOn is asked before and, unless it was true then, again afterwards
     * @return its last answer
     */
    public static boolean park(Object channel, long nanos, BooleanSupplier mayGoOn) {
        Thread caller = Thread.currentThread();
        WAITERS.compute(channel, (key, threads) -> {
            Set<Thread> grown = threads == null ? ConcurrentHashMap.newKeySet() : threads;
            grown.add(caller);
            return grown;
        });
        try {
            if (mayGoOn.getAsBoolean()) {
                return true;
            }
            LockSupport.parkNanos(channel, nanos);
            return mayGoOn.getAsBoolean();
        } finally {
            WAITERS.computeIfPresent(channel, (key, threads) -> {
                threads.remove(caller);
                return threads.isEmpty() ? null : threads;
            });
        }
    }

    /** There may be room for the threads that wait. */
    public static void wake(Object channel) {
        Set<Thread> threads = WAITERS.isEmpty() ? null : WAITERS.get(channel);
        if (threads != null) {
            threads.forEach(LockSupport::unpark);
        }
    }
}
