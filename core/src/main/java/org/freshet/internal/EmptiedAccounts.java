package org.freshet.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What waits until nothing is left to be sent on a channel: the drains. Any thread may call. */
public final class EmptiedAccounts {
    private static final Map<Object, Runnable> WATCHERS = new ConcurrentHashMap<>();

    private EmptiedAccounts() {}

    /** Has a task run each time that nothing waits on the channel any more, by the thread that released the last of it. */
    public static void watch(Object channel, Runnable task) {
        WATCHERS.put(channel, task);
    }

    public static void unwatch(Object channel) {
        WATCHERS.remove(channel);
    }

    /** For the account. */
    public static void onEmptied(Object channel) {
        Runnable task = WATCHERS.isEmpty() ? null : WATCHERS.get(channel);
        if (task != null) {
            task.run();
        }
    }
}
