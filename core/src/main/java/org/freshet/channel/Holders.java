package org.freshet.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The channels whose backlog the {@link MemoryBudget} should know of, writable or not. Parts of other channels, such as streams, are not
 * included. Any thread may call any method; none of them throws.
 *
 * <p>A channel asks to be added or removed after its account has changed. If memory is exhausted, it is not added until it asks again.
 */
final class Holders {
    private static final Set<AccountedChannel> CHANNELS = ConcurrentHashMap.newKeySet();

    private Holders() {}

    /**
     * Adds a channel if it has a backlog, and removes it if it has none. If several threads change an account at the same time, the last
     * one to come here leaves the right result.
     */
    static void update(AccountedChannel account) {
        boolean belongs;
        do {
            belongs = account.hasBacklog();
            if (belongs != CHANNELS.contains(account)) { // takes no lock, and is usually all there is to do
                put(account, belongs);
            }
        } while (belongs != account.hasBacklog());
    }

    private static void put(AccountedChannel account, boolean belongs) {
        try {
            if (belongs) {
                CHANNELS.add(account);
            } else {
                CHANNELS.remove(account);
            }
        } catch (Throwable t) { // no memory; the charge counts nevertheless
            return;
        }
    }

    /** Returns a snapshot of the channels. */
    static List<AccountedChannel> now() {
        return new ArrayList<>(CHANNELS);
    }

    /** Returns a view of the channels, which takes no memory for each. */
    static Iterable<AccountedChannel> all() {
        return CHANNELS;
    }

    /** For tests. */
    static boolean contains(AccountedChannel account) {
        return CHANNELS.contains(account);
    }

    /** Removes a channel as if there had been no memory to add it. For tests. */
    static void forget(AccountedChannel account) {
        CHANNELS.remove(account);
    }

    static int count() {
        return CHANNELS.size();
    }
}
