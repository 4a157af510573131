package org.freshet.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Notifies drains when nothing is left to be sent on a channel. Any thread may call any method. */
public final class EmptiedAccounts {
    private static final Map<Object, Watcher> WATCHERS = new ConcurrentHashMap<>();

    private EmptiedAccounts() {}

    /** Called by the thread that sent or released the last of the backlog. */
    public interface Watcher {
        /** The channel's backlog is empty. */
        void onEmptied();

        /** The transport can't send the backlog, which is about to fail. */
        void onLosing();
    }

    public static void watch(Object channel, Watcher watcher) {
        WATCHERS.put(channel, watcher);
    }

    public static void unwatch(Object channel) {
        WATCHERS.remove(channel);
    }

    /** Called by the account. */
    public static void onEmptied(Object channel) {
        Watcher watcher = watcher(channel);
        if (watcher != null) {
            watcher.onEmptied();
        }
    }

    /** Called by the transport before it fails the backlog. */
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
