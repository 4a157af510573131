package org.freshet.testkit.matrix;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.handler.queue.BufferedWriteHandler;
import org.freshet.util.Timer;

/** Makes a {@link BufferedWriteHandler} flush soon after a write. */
final class Flushing extends SimpleChannelDownstreamHandler {
    private static final long DELAY_MILLIS = 20;

    private final Timer timer;
    private final BufferedWriteHandler buffered;
    private boolean isDue;

    Flushing(Timer timer, BufferedWriteHandler buffered) {
        this.timer = timer;
        this.buffered = buffered;
    }

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
        ctx.sendDownstream(e);
        if (!isDue) {
            isDue = true;
            timer.newTimeout(
                    t -> {
                        isDue = false;
                        buffered.flush();
                    },
                    DELAY_MILLIS,
                    TimeUnit.MILLISECONDS);
        }
    }
}
