package org.freshet.channel;

/**
 * Code that runs around everything that a thread does for a channel: for a tracer's current context, or values that each log line shall
 * have. {@link ChannelScopes#install} puts one into effect.
 *
 * <p>It is entered and left on one thread, by many threads at the same time, and again within itself, when a handler's or a listener's
 * work for a channel leads to events of that channel or of another. What it throws is logged, the first time, and changes nothing else.
 *
 * @see org.freshet.handler.logging.MdcScope
 */
public interface ChannelScope {
    /**
     * The calling thread begins to work for a channel.
     *
     * @return what {@link #exit} gets, such as what was current before; may be null
     */
    Object enter(Channel channel);

    /**
     * The calling thread has finished that work, by returning or by throwing. Not called if {@link #enter} threw.
     *
     * @param token what {@code enter} returned
     */
    void exit(Object token);
}
