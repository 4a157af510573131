package org.freshet.example.proxy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The bytes that the proxy has read but not written. Any thread. */
final class ProxyLoad {
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong mostHeldBytes = new AtomicLong();
    private final AtomicInteger suspensions = new AtomicInteger();

    void received(int bytes) {
        long held = heldBytes.addAndGet(bytes);
        mostHeldBytes.accumulateAndGet(held, Math::max);
    }

    void passed(int bytes) {
        heldBytes.addAndGet(-bytes);
    }

    void suspended() {
        suspensions.incrementAndGet();
    }

    long mostHeldBytes() {
        return mostHeldBytes.get();
    }

    /** Returns how often reading was suspended because the other side was not writable. */
    int suspensions() {
        return suspensions.get();
    }
}
