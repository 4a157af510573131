package org.freshet.microbench.compare.server;

import java.io.IOException;

/** A server under measurement, with one boss and one worker if its kind has such threads. */
public interface PeerServer extends AutoCloseable {
    /** Binds to a free port on the loopback address, starts accepting and returns the port. Called once. */
    int start() throws Exception;

    /** Returns its resource usage so far: that of this process, unless it runs in another one. */
    default Usage usage() {
        return Usage.now();
    }

    /** Stops accepting, closes all connections and stops the server's threads. */
    @Override
    void close() throws IOException;
}
