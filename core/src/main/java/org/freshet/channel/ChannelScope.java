package org.freshet.channel;

/**
 * Code that runs around everything a thread does for a channel, for example to set a tracer's current context or values for each log line.
 * Install one with {@link ChannelScopes#install}.
 *
 * <p>Each scope is entered and exited on the same thread. Many threads may be in it at the same time, and one thread may enter it again
 * before it has left, when work for a channel causes events of that or another channel. If a scope throws, the first exception is logged;
 * the work is not affected.
 *
 * @see org.freshet.handler.logging.MdcScope
 */
public interface ChannelScope {
    /**
     * Called when the calling thread begins to work for a channel.
     *
     * @return passed to {@link #exit}, such as the previous context; may be null
     */
    Object enter(Channel channel);

    /**
     * Called when the calling thread has finished that work, normally or with an exception. Not called if {@link #enter} threw.
     *
     * @param token the object that {@code enter} returned
     */
    void exit(Object token);
}
