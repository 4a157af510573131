package org.freshet.channel.socket.nio;

/** What a loop is in the middle of: a handler that it calls may ask for more of the same, which then waits. One per loop; loop only. */
final class UnderWay {
    /** The flush that is under way; null if there is none. There is one at a time, so that flushes do not nest. */
    private Flusher flushing;

    /** The run that began last; null while no request is being carried out. */
    private RequestRun innermost;

    /** A run that is not used; null while it is. */
    private RequestRun spare = new RequestRun();

    // ---- flushes ----------------------------------------------------------------------------------------------------

    boolean mayFlush() {
        return flushing == null;
    }

    boolean isFlushing(Flusher flusher) {
        return flushing == flusher;
    }

    void beginFlush(Flusher flusher) {
        flushing = flusher;
    }

    void endFlush() {
        flushing = null;
    }

    // ---- requests ---------------------------------------------------------------------------------------------------

    RequestRun beginRun(NioChannel channel) {
        RequestRun run = spare == null ? new RequestRun() : spare;
        spare = null;
        run.begin(channel, innermost);
        innermost = run;
        return run;
    }

    void endRun(RequestRun run) {
        innermost = run.outer;
        run.end();
        spare = run;
    }

    /** The run of a channel; null if there is none. */
    RequestRun runOf(NioChannel channel) {
        RequestRun run = innermost;
        while (run != null && !run.isOf(channel)) {
            run = run.outer;
        }
        return run;
    }
}
