package org.freshet.microbench.compare.server;

import java.io.IOException;

/** A server under measurement: one boss and one worker where its kind has such threads. */
public interface PeerServer extends AutoCloseable {
    /** Binds to a free port of the loopback address, begins to accept and returns the port. Called once. */
    int start() throws Exception;

    /** What it has used so far: this process, unless it runs in another one. */
    default Usage usage() {
        return Usage.now();
    }

    /** Stops accepting, closes what is open and ends the server's threads. */
    @Override
    void close() throws IOException;
}
