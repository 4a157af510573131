package org.freshet.channel;

/** Is told of failed futures that nobody looks at. See {@link UnobservedFailures#setListener}. */
@FunctionalInterface
public interface UnobservedFailureListener {
    /**
     * Called for each of them, on the thread that completes the future; must be quick. What this throws is logged.
     *
     * @param channel of the future; may be null
     */
    void failed(Channel channel, Throwable cause);
}
