package org.freshet.telemetry;

import org.freshet.channel.ChannelHandlerContext;

/**
 * A handler that tells an operator what it is doing; {@link Explain} asks it.
 *
 * <pre>{@code
 * final class OrderHandler extends SimpleChannelUpstreamHandler implements Explainable {
 *     private final Queue<Order> waiting = new ConcurrentLinkedQueue<>();
 *
 *     @Override
 *     public void explain(ChannelHandlerContext ctx, Explanation out) {
 *         out.put("orders that wait", waiting.size());
 *     }
 * }
 * }</pre>
 */
public interface Explainable {
    /**
     * Says what a reader needs to see why a connection does not go on: a state, how much waits, a limit. Nothing of what the messages
     * contain, no keys: the text goes to logs and pages.
     *
     * <p>Called on the channel's I/O thread. When that does not answer, a second later and on another thread: what is read may then be
     * out of date. What it throws becomes part of the text. It must not block.
     *
     * @param ctx the handler's place in the channel that is explained
     */
    void explain(ChannelHandlerContext ctx, Explanation out);
}
