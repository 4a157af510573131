package org.freshet.telemetry;

import org.freshet.channel.ChannelHandlerContext;

/**
 * A handler that can describe what it is doing to an operator. {@link Explain} calls it.
 *
 * <pre>{@code
 * final class OrderHandler extends SimpleChannelUpstreamHandler implements Explainable {
 *     private final Queue<Order> waiting = new ConcurrentLinkedQueue<>();
 *
 *     @Override
 *     public void explain(ChannelHandlerContext ctx, Explanation out) {
 *         out.put("waiting orders", waiting.size());
 *     }
 * }
 * }</pre>
 */
public interface Explainable {
    /**
     * Adds facts that explain why a connection makes no progress: a state, a queue length, a limit. Never include
     * message content or keys: the text goes to logs and web pages.
     *
     * <p>Called on the channel's I/O thread. If that does not answer within a second, this is called on another thread,
     * and what it reads may be out of date. It must not block. If it throws, the exception becomes part of the text.
     *
     * @param ctx the handler's place in the channel being described
     */
    void explain(ChannelHandlerContext ctx, Explanation out);
}
