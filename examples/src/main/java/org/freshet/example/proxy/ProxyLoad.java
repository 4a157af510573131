package org.freshet.example.proxy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What the proxy holds: bytes that it has read and not written. Any thread. */
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

    /** How often reading was stopped because the other side was not writable. */
    int suspensions() {
        return suspensions.get();
    }
}
