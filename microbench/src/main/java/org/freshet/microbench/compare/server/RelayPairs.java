package org.freshet.microbench.compare.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makes partners of two connections that give the same name, as {@code RelayDialect} has it. For any thread. */
final class RelayPairs<C> {
    private final Map<Integer, End> waiting = new ConcurrentHashMap<>();

    /** One connection. Its own loop calls it. */
    final class End {
        private final C channel;
        private volatile C partner;

        /** Set before the end waits for its partner. */
        private Thread loop;

        End(C channel) {
            this.channel = channel;
        }

        /** Null until both have given their name. */
        C partner() {
            return partner;
        }

        /** Returns whether this is the second of that name, so that both have partners now. */
        boolean give(int name) {
            loop = Thread.currentThread();
            End other = waiting.putIfAbsent(name, this);
            if (other == null) {
                return false;
            }
            waiting.remove(name);
            if (other.loop == loop) {
                throw new IllegalStateException("both are of one loop, which would hand nothing over: " + loop);
            }
            partner = other.channel;
            other.partner = channel;
            return true;
        }
    }
}
