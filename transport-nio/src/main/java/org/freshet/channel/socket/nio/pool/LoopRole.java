package org.freshet.channel.socket.nio.pool;

import java.util.concurrent.atomic.AtomicInteger;

/** What the loops of a pool do; the name of a thread says it, such as freshet-nio-worker-1. Any thread. */
public enum LoopRole {
    SERVER_BOSS("server-boss"),
    CLIENT_BOSS("client-boss"),
    WORKER("worker"),
    DATAGRAM_WORKER("datagram-worker");

    private final String title;
    private final AtomicInteger lastNumber = new AtomicInteger();

    LoopRole(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    String nextThreadName() {
        return "freshet-nio-" + title + "-" + lastNumber.incrementAndGet();
    }
}
