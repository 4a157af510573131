package org.freshet.example.soak;

import java.io.IOException;

/**
 * One client's visit to a server: connects, communicates, checks the answers, and leaves. Runs on the client's own
 * thread and may block.
 */
@FunctionalInterface
interface Visit {
    /**
     * @throws ClosedEarlyException if the server closed the connection before the end; a server being drained may do
     *     that
     * @throws WrongException if an answer is wrong or missing
     * @throws IOException the same as {@code ClosedEarlyException}, from clients on plain sockets
     */
    void pay(Guest guest) throws ClosedEarlyException, WrongException, IOException, InterruptedException;
}
