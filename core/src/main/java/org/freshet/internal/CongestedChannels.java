package org.freshet.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The process's channels that are not writable, and the threads that wait for one to become writable. Treats channels as plain objects. Any
 * thread may call any method.
 *
 * <p>A channel is added when it becomes unwritable and removed when it is writable again or closed, so channels whose peers keep up cost
 * nothing. If both happen at the same time, a writable channel may stay here until it is closed.
 */
public final class CongestedChannels {
    private static final Set<Object> CHANNELS = ConcurrentHashMap.newKeySet();
    private static final Map<Object, Set<Thread>> WAITERS = new ConcurrentHashMap<>();

    private CongestedChannels() {}

    public static void add(Object channel) {
        CHANNELS.add(channel);
    }

    /** Called when the channel is writable again, or closed. */
    public static void remove(Object channel) {
        CHANNELS.remove(channel);
        wake(channel);
    }

    /** Returns a snapshot of the channels. */
    public static List<Object> now() {
        return new ArrayList<>(CHANNELS);
    }

    public static boolean isEmpty() {
        return CHANNELS.isEmpty();
    }

    // ---- waiting threads --------------------------------------------------------------------------------------------

    /**
     * Parks the caller until the channel is removed, the timeout elapses, or spuriously. Returns immediately if {@code mayGoOn} is already
     * true.
     *
     * @param mayGoOn called before parking and, unless it returned true, again afterwards
     * @return its last result
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

    /** Wakes the threads waiting for the channel, because there may be room now. */
    public static void wake(Object channel) {
        Set<Thread> threads = WAITERS.isEmpty() ? null : WAITERS.get(channel);
        if (threads != null) {
            threads.forEach(LockSupport::unpark);
        }
    }
}
