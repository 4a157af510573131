package org.freshet.handler.execution;

/** The protocol of one connection, written as sequential code. */
@FunctionalInterface
public interface Conversation {
    /**
     * Talks to the peer. Called once per connection, on the connection's own thread, and may block. When it returns,
     * the connection is closed after everything written has been sent.
     *
     * @param connection reads from the peer and writes to it
     * @throws Exception is sent up the pipeline as {@code exceptionCaught}, and the connection is closed
     */
    void run(BlockingConnection connection) throws Exception;
}
