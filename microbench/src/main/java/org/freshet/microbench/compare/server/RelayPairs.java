package org.freshet.microbench.compare.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makes two connections partners if they send the same name, see {@code RelayDialect}. Any thread. */
final class RelayPairs<C> {
    private final Map<Integer, End> waiting = new ConcurrentHashMap<>();

    /** One connection. Called by its own loop. */
    final class End {
        private final C channel;
        private volatile C partner;

        /** Set before the end waits for its partner. */
        private Thread loop;

        End(C channel) {
            this.channel = channel;
        }

        /** Null until both have sent their name. */
        C partner() {
            return partner;
        }

        /** Returns whether this is the second connection with that name, so that both now have partners. */
        boolean give(int name) {
            loop = Thread.currentThread();
            End other = waiting.putIfAbsent(name, this);
            if (other == null) {
                return false;
            }
            waiting.remove(name);
            if (other.loop == loop) {
                throw new IllegalStateException("both connections are on the same loop: " + loop);
            }
            partner = other.channel;
            other.partner = channel;
            return true;
        }
    }
}
