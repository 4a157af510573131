package org.freshet.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The channels with a backlog of which the {@link MemoryBudget} should know, whether they are writable or not. Parts of other channels,
 * such as streams, are not among them. Any thread may call; nothing throws.
 *
 * <p>An account that has changed asks to be added or removed. Without memory it is not added until it asks again.
 */
final class Holders {
    private static final Set<AccountedChannel> CHANNELS = ConcurrentHashMap.newKeySet();

    private Holders() {}

    /**
     * Adds a channel if it has a backlog, and removes it if it has none. Of threads that change an account at once, the last one to come here
     * leaves what is right.
     */
    static void update(AccountedChannel account) {
        boolean belongs;
        do {
            belongs = account.hasBacklog();
            if (belongs != CHANNELS.contains(account)) { // which takes no lock, and mostly is all
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
        } catch (Throwable t) { // without memory; the charge counts nevertheless
            return;
        }
    }

    /** The channels at this moment. */
    static List<AccountedChannel> now() {
        return new ArrayList<>(CHANNELS);
    }

    static boolean contains(Channel channel) {
        return channel instanceof AccountedChannel account && CHANNELS.contains(account);
    }

    /** As if there had been no memory for it. For tests. */
    static void forget(AccountedChannel account) {
        CHANNELS.remove(account);
    }

    static int count() {
        return CHANNELS.size();
    }
}
