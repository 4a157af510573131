package org.freshet.channel.socket.nio;

/** What a loop is in the middle of, since handlers that it calls may ask for more of the same. One a loop; loop only. */
final class Nesting {
    /** Flushes within one another, by handlers that write on writeComplete; further writes wait for the turn's end. */
    private static final int MAX_FLUSHES = 8;

    private int flushes;

    /** Null while no requests of other threads are being carried out. */
    private RequestRun innermost;

    void beginFlush() {
        flushes++;
    }

    void endFlush() {
        flushes--;
    }

    boolean mayFlush() {
        return flushes < MAX_FLUSHES;
    }

    RequestRun beginRun(RequestRun run) {
        innermost = run;
        return run;
    }

    void endRun(RequestRun run) {
        innermost = run.outer;
    }

    RequestRun innermost() {
        return innermost;
    }

    /** The run of a channel that is under way and has requests left, or has none; null if there is no run. */
    RequestRun runOf(NioChannel channel) {
        RequestRun run = innermost;
        while (run != null && !run.isOf(channel)) {
            run = run.outer;
        }
        return run;
    }
}
