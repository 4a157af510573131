package org.freshet.channel.socket.nio;

/**
 * Which worker of a {@link NioWorkerPool} gets the next connection. A worker that a handler has held for long, as {@link
 * org.freshet.telemetry.StallWatch} sees it, gets none unless all are held.
 */
public enum WorkerSelection {
    /** One after the other. */
    ROUND_ROBIN,

    /** The one with the fewest connections and tasks: where connections last long and differ in how long. Looks at every worker. */
    FEWEST_CHANNELS
}
