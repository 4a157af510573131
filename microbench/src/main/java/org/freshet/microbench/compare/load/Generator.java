package org.freshet.microbench.compare.load;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongConsumer;

/** The client side of a run: one thread that makes it, calls it, and checks every byte that comes. */
public interface Generator extends AutoCloseable {
    /** Opens all connections; each has got something from the server when this returns. The outcome counts connections. */
    Outcome connect() throws IOException;

    /**
     * Sends {@code messages}, or as many as {@code limit} allows, and returns when everything has arrived.
     *
     * @param progress told now and then how many have arrived
     */
    Outcome run(long messages, Duration limit, LongConsumer progress) throws IOException;

    /** Closes every connection. */
    @Override
    void close() throws IOException;
}
