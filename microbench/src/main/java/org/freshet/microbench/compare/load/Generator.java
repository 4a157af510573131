package org.freshet.microbench.compare.load;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongConsumer;

/** The client side of a run: one thread that creates it, calls it, and checks every byte received. */
public interface Generator extends AutoCloseable {
    /**
     * Opens all connections; each has received something from the server when this returns. The outcome counts
     * connections.
     */
    Outcome connect() throws IOException;

    /**
     * Sends {@code messages}, or as many as possible within {@code limit}, and returns when everything has arrived.
     *
     * @param progress called at intervals with the number of messages that have arrived
     */
    Outcome run(long messages, Duration limit, LongConsumer progress) throws IOException;

    /** Closes every connection. */
    @Override
    void close() throws IOException;
}
