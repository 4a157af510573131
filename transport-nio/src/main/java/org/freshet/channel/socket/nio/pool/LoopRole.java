package org.freshet.channel.socket.nio.pool;

import java.util.concurrent.atomic.AtomicInteger;

/** The role of a pool's loops. It is part of the thread names, as in freshet-nio-worker-1. Any thread may call it. */
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
