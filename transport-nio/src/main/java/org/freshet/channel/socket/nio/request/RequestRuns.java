package org.freshet.channel.socket.nio.request;

/**
 * The runs in progress on a loop, at most one per channel. A handler called by a run may make a request of another
 * channel, whose run is then nested in the first. One per loop; loop only.
 */
public final class RequestRuns {
    /** The run that began last; null while no request is being carried out. */
    private RequestRun innermost;

    /** An unused run; null while it is in use. */
    private RequestRun spare = new RequestRun();

    public RequestRun begin(RequestRun.Target target) {
        RequestRun run = spare == null ? new RequestRun() : spare;
        spare = null;
        run.begin(target, innermost);
        innermost = run;
        return run;
    }

    public void end(RequestRun run) {
        innermost = run.outer;
        run.end();
        spare = run;
    }

    /** Returns the run of a channel, or null. */
    public RequestRun of(RequestRun.Target target) {
        RequestRun run = innermost;
        while (run != null && !run.isOf(target)) {
            run = run.outer;
        }
        return run;
    }
}
