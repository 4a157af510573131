package org.freshet.internal.lending;

/** What a transport asks a pipeline before it lends a read. Any thread; the answers hold at the time of the call. */
public interface LendingPipeline {
    /**
     * The context of the first handler that gets a received message, if its class is marked as a borrower; null if not, or
     * if a handler before it may keep messages.
     */
    Object borrower();

    /** Whether what is written reaches the transport without meeting a handler. */
    boolean isDownstreamFree();
}
