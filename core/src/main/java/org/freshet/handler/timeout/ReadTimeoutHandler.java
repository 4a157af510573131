package org.freshet.handler.timeout;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.internal.PassesMessagesOn;
import org.freshet.util.ExternalResourceReleasable;
import org.freshet.util.Timer;

/**
 * Raises a {@link ReadTimeoutException} when nothing was received for some time, and again after each further period.
 * It goes up as an exception event; {@code exceptionCaught} of the handlers above decides what to do, usually closing
 * the channel.
 *
 * <p>Watching begins when the channel opens, or when the handler is added to an open channel, and ends when the channel
 * closes or the handler is removed. The context's attachment holds the state of each connection and is reserved for
 * this handler.
 */
@Sharable
@PassesMessagesOn
public class ReadTimeoutHandler extends SimpleChannelUpstreamHandler
        implements LifeCycleAwareChannelHandler, ExternalResourceReleasable {
    private final Timer timer;
    private final long timeoutMillis;

    /** Creates a handler with a time in seconds; see the other constructor. */
    public ReadTimeoutHandler(Timer timer, int timeoutSeconds) {
        this(timer, timeoutSeconds, TimeUnit.SECONDS);
    }

    /**
     * Creates a handler for any number of channels.
     *
     * @param timer is stopped only by {@link #releaseExternalResources()}
     * @param timeout 0 or less means never; less than a millisecond counts as one
     */
    public ReadTimeoutHandler(Timer timer, long timeout, TimeUnit unit) {
        this.timer = Objects.requireNonNull(timer, "timer");
        this.timeoutMillis = IdleStateHandler.millis(timeout, unit);
    }

    /** Stops the timer, for all its users. */
    @Override
    public void releaseExternalResources() {
        timer.stop();
    }

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getPipeline().isAttached() && ctx.getChannel().isOpen()) {
            start(ctx);
        }
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        IdleWatch.stop(ctx);
    }

    @Override
    public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        start(ctx);
        ctx.sendUpstream(e);
    }

    private void start(ChannelHandlerContext ctx) {
        IdleWatch.Limits limits = new IdleWatch.Limits(TimeUnit.MILLISECONDS.toNanos(timeoutMillis), 0, 0);
        IdleWatch.start(ctx, timer, limits, (idle, state, lastActivityTimeMillis) -> readTimedOut(idle));
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        IdleWatch.stop(ctx);
        ctx.sendUpstream(e);
    }

    /** The time handlers above spend on a message does not count as silence of the peer. */
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        IdleWatch.onRead(ctx);
        ctx.sendUpstream(e);
        IdleWatch.onRead(ctx);
    }

    /**
     * Called on the channel's I/O thread when the time has elapsed; sends a {@link ReadTimeoutException} up by default.
     * If it throws, that exception goes up as an exception event too.
     */
    protected void readTimedOut(ChannelHandlerContext ctx) throws Exception {
        Channels.fireExceptionCaught(
                ctx, new ReadTimeoutException("nothing was received for " + timeoutMillis + " ms"));
    }
}
