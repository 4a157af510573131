package org.freshet.microbench.compare;

import java.io.IOException;
import java.util.List;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;

/**
 * The environment of a measurement: how servers are started, and where progress is shown.
 *
 * @param jvmFlags the same for every peer
 */
record Bench(Pinning pinning, List<String> jvmFlags, Progress progress) {
    /** Starts {@code peer} in a new process. */
    ServerProcess start(Peer peer, Assignment assignment) throws IOException {
        return ServerProcess.start(peer, assignment, pinning, jvmFlags);
    }
}
