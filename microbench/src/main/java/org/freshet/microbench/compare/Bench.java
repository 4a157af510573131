package org.freshet.microbench.compare;

import java.io.IOException;
import java.util.List;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;

/**
 * What a measurement works with: how servers are started, and where progress goes.
 *
 * @param jvmFlags the same for every peer
 */
record Bench(Pinning pinning, List<String> jvmFlags, Progress progress) {
    /** Starts {@code peer} in a process of its own. */
    ServerProcess start(Peer peer, Role role) throws IOException {
        return ServerProcess.start(peer, role, pinning, jvmFlags);
    }
}
