package org.freshet.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What waits until nothing is left to be sent on a channel: the drains. Any thread may call. */
public final class EmptiedAccounts {
    private static final Map<Object, Watcher> WATCHERS = new ConcurrentHashMap<>();

    private EmptiedAccounts() {}

    /** Called by the thread that sends, or that released the last of what waited. */
    public interface Watcher {
        /** Nothing waits on the channel any more. */
        void onEmptied();

        /** The transport can't send what waits, which is about to fail. */
        void onLosing();
    }

    public static void watch(Object channel, Watcher watcher) {
        WATCHERS.put(channel, watcher);
    }

    public static void unwatch(Object channel) {
        WATCHERS.remove(channel);
    }

    /** For the account. */
    public static void onEmptied(Object channel) {
        Watcher watcher = watcher(channel);
        if (watcher != null) {
            watcher.onEmptied();
        }
    }

    /** For the transport, before it fails what waits. */
    public static void onLosing(Object channel) {
        Watcher watcher = watcher(channel);
        if (watcher != null) {
            watcher.onLosing();
        }
    }

    private static Watcher watcher(Object channel) {
        return WATCHERS.isEmpty() ? null : WATCHERS.get(channel);
    }
}
