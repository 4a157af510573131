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
 * <p>You need this if an encoded message depends on those before it, as in a compressed stream. {@code encode} is never
 * called by two threads at the same time. If a message is written while another one is being encoded or passed on (by
 * another thread, or by a handler below), the busy thread encodes it when it's done; no lock is held meanwhile. If that
 * fails, the message's future fails and an {@code exceptionCaught} event is fired.
 */
@NoChannelState
public abstract class OneToOneStrictEncoder extends OneToOneEncoder {
    private final DownstreamOrder order = new DownstreamOrder();

    public OneToOneStrictEncoder() {}

    @Override
    protected boolean doEncode(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        order.pass(e, () -> {
            if (!super.doEncode(ctx, e)) {
                // An unchanged message must not be overtaken either by one encoded later.
                ctx.sendDownstream(e);
            }
        });
        return true;
    }

    /**
     * Whether {@link #inOrder} would wait for another thread's write, on a channel whose writes block: as long as the peer
     * reads nothing.
     */
    protected final boolean isBlocked(Channel channel) {
        return order.isBlocked(channel);
    }

    /**
     * Runs a task that writes something itself, such as the end of a stream, in order with the messages. It runs
     * immediately, or on the thread that is encoding, after the current message.
     *
     * @param channel of the encoder; null if there is no channel yet
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
