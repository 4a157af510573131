package org.freshet.channel.socket.nio.request;

/**
 * The runs that a loop is in the middle of, of which each channel has one at the most: a handler that a run calls may ask for something of
 * another channel, whose run is then within the first. One per loop; loop only.
 */
public final class RequestRuns {
    /** The run that began last; null while no request is being carried out. */
    private RequestRun innermost;

    /** A run that is not used; null while it is. */
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

    /** The run of a channel; null if there is none. */
    public RequestRun of(RequestRun.Target target) {
        RequestRun run = innermost;
        while (run != null && !run.isOf(target)) {
            run = run.outer;
        }
        return run;
    }
}
