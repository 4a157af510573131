package org.freshet.internal.lending;

/**
 * What a transport needs to know about a pipeline before it lends a read. Any thread may call any method; the answers are valid at the time
 * of the call.
 */
public interface LendingPipeline {
    /**
     * Returns the context of the first handler that gets a received message, if its class is marked as a borrower. Returns null if it is
     * not, or if a handler before it may keep messages.
     */
    Object borrower();

    /** Whether a write reaches the transport without passing a handler. */
    boolean isDownstreamFree();
}
