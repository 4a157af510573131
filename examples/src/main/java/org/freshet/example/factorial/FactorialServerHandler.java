package org.freshet.example.factorial;

import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * Answers questions. It computes on the I/O thread, which serves other connections too, so it refuses long
 * computations. To allow them, put an {@code ExecutionHandler} before it.
 */
@Sharable
final class FactorialServerHandler extends SimpleChannelUpstreamHandler {
    static final int MAX_NUMBERS = 50_000;

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        Range range = (Range) e.getMessage();
        if (range.last() - range.first() >= MAX_NUMBERS) {
            throw new IllegalArgumentException("more than " + MAX_NUMBERS + " numbers: " + range);
        }
        e.getChannel().write(range.product());
    }

    /** A peer that violates the protocol is worth one line in the log. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println(e.getChannel() + ": " + e.getCause());
        e.getChannel().close();
    }
}
