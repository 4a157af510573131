package org.freshet.handler.execution;

/** What is said on a connection, from its first message to its last, in the order in which it is written down. */
@FunctionalInterface
public interface Conversation {
    /**
     * Talks to the peer. Called once for each connection, on a thread of its own, which may block. The connection is closed when this
     * returns, after what was written has been sent.
     *
     * @param talk the connection
     * @throws Exception is sent up the pipeline as {@code exceptionCaught}, and the connection is closed
     */
    void hold(Talk talk) throws Exception;
}
