package org.freshet.example.soak;

import java.io.IOException;

/** A client's stay at a server: connects, talks, checks what comes back, and leaves. Runs on the client's own thread and may wait. */
@FunctionalInterface
interface Visit {
    /**
     * @throws ClosedEarlyException if the server closed before all was said, as a server that is drained may
     * @throws WrongException if an answer is not the right one, or does not come
     * @throws IOException for clients on plain sockets, as {@code ClosedEarlyException}
     */
    void pay(Guest guest) throws ClosedEarlyException, WrongException, IOException, InterruptedException;
}
