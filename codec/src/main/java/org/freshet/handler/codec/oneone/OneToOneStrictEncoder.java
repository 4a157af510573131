package org.freshet.handler.codec.oneone;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.NoChannelState;
import org.freshet.internal.write.DownstreamOrder;

/**
 * An encoder whose messages leave in the order in which they were encoded, whichever threads write them.
 *
 * <p>Needed when one encoded message depends on those before, as in a compressed stream. {@code encode} is never called by two threads at
 * once. A message that is written while another one is being encoded or passed on, by another thread or by a handler below, is encoded
 * by the thread that is at work, once that is done; no lock is held meanwhile. Should it then fail, its future fails, and an {@code
 * exceptionCaught} event is sent.
 */
@NoChannelState
public abstract class OneToOneStrictEncoder extends OneToOneEncoder {
    private final DownstreamOrder order = new DownstreamOrder();

    public OneToOneStrictEncoder() {}

    @Override
    protected boolean doEncode(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        order.pass(e, () -> {
            if (!super.doEncode(ctx, e)) {
                // Also an untouched message must not be overtaken by one that is encoded later.
                ctx.sendDownstream(e);
            }
        });
        return true;
    }

    /**
     * Runs a task that writes something of its own, such as the end of a stream, so that it neither overtakes nor is
     * overtaken by a message: at once, or on the thread that is encoding, after that.
     *
     * @param channel of the encoder; may be null before there is one
     * @param future fails if the task throws on another thread; may be null
     */
    protected final void inOrder(Channel channel, ChannelFuture future, Runnable task) {
        try {
            order.pass(channel, future, task::run);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("a Runnable throws no checked exception", e);
        }
    }
}
