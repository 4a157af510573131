package org.freshet.channel;

/** Called for failed futures that nothing observes. See {@link UnobservedFailures#setListener}. */
@FunctionalInterface
public interface UnobservedFailureListener {
    /**
     * Called for each such future, on the thread that completes it; must be quick. If this throws, the exception is logged.
     *
     * @param channel the future's channel; may be null
     */
    void failed(Channel channel, Throwable cause);
}
