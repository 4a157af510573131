package org.freshet.handler.codec.oneone;

import java.util.concurrent.locks.ReentrantLock;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.NoChannelState;

/**
 * An encoder whose messages leave in the order in which they were encoded, whichever threads write them.
 *
 * <p>Needed when one encoded message depends on those before, as in a compressed stream. A lock is held from encoding
 * until the handlers below have taken the message; they only enqueue, so it is short.
 */
@NoChannelState
public abstract class OneToOneStrictEncoder extends OneToOneEncoder {
    private final ReentrantLock order = new ReentrantLock();

    public OneToOneStrictEncoder() {}

    @Override
    protected boolean doEncode(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        order.lock();
        try {
            if (!super.doEncode(ctx, e)) {
                // Also an untouched message must not be overtaken by one that is encoded later.
                ctx.sendDownstream(e);
            }
            return true;
        } finally {
            order.unlock();
        }
    }

    /**
     * Runs a task that writes something of its own, such as the end of a stream, so that it neither overtakes nor is
     * overtaken by a message.
     */
    protected final void inOrder(Runnable task) {
        order.lock();
        try {
            task.run();
        } finally {
            order.unlock();
        }
    }
}
