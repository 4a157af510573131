package org.freshet.handler.timeout;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.internal.PassesMessagesOn;
import org.freshet.telemetry.Explainable;
import org.freshet.telemetry.Explanation;
import org.freshet.util.ExternalResourceReleasable;
import org.freshet.util.Timer;

/**
 * Sends an {@link IdleStateEvent} upstream when nothing was received, nothing was sent, or neither, for a given time,
 * and again each time that period passes. Handlers above receive it in
 * {@link IdleStateAwareChannelHandler#channelIdle}.
 *
 * <pre>{@code
 * // a chat client: sends a keep-alive after 45 s, and gives up on a server that is silent for 2 minutes
 * class KeepAlive extends IdleStateAwareChannelHandler {
 *     @Override
 *     public void channelIdle(ChannelHandlerContext ctx, IdleStateEvent e) {
 *         Channel chat = e.getChannel();
 *         switch (e.getState()) {
 *             case WRITER_IDLE -> chat.write("still here");
 *             case READER_IDLE -> chat.close();
 *             case ALL_IDLE -> {} // switched off
 *         }
 *     }
 * }
 *
 * pipeline.addLast("idle", new IdleStateHandler(timer, 120, 45, 0));
 * pipeline.addLast("keep-alive", new KeepAlive());
 * }</pre>
 *
 * <p>Watching begins when the channel opens, or when the handler is added to an open channel, and ends when the channel
 * closes or the handler is removed. Activity is whatever passes this handler: received messages and completed writes.
 * The context's attachment holds the state of each connection and is reserved for this handler.
 */
@Sharable
@PassesMessagesOn
public class IdleStateHandler extends SimpleChannelUpstreamHandler
        implements LifeCycleAwareChannelHandler, ExternalResourceReleasable, Explainable {
    private final Timer timer;
    private final long readerIdleMillis;
    private final long writerIdleMillis;
    private final long allIdleMillis;
    private final IdleWatch.Limits limits;

    /** Creates a handler with times in seconds; see the other constructor. */
    public IdleStateHandler(Timer timer, int readerIdleTimeSeconds, int writerIdleTimeSeconds, int allIdleTimeSeconds) {
        this(timer, readerIdleTimeSeconds, writerIdleTimeSeconds, allIdleTimeSeconds, TimeUnit.SECONDS);
    }

    /**
     * Creates a handler for any number of channels. For each time, 0 or less turns that state off, and less than a
     * millisecond counts as one.
     *
     * @param timer is stopped only by {@link #releaseExternalResources()}
     * @param readerIdleTime how long nothing may be received before {@link IdleState#READER_IDLE}
     * @param writerIdleTime how long nothing may be sent before {@link IdleState#WRITER_IDLE}
     * @param allIdleTime how long nothing may be received or sent before {@link IdleState#ALL_IDLE}
     */
    public IdleStateHandler(Timer timer, long readerIdleTime, long writerIdleTime, long allIdleTime, TimeUnit unit) {
        this.timer = Objects.requireNonNull(timer, "timer");
        this.readerIdleMillis = millis(readerIdleTime, unit);
        this.writerIdleMillis = millis(writerIdleTime, unit);
        this.allIdleMillis = millis(allIdleTime, unit);
        this.limits = new IdleWatch.Limits(
                TimeUnit.MILLISECONDS.toNanos(readerIdleMillis),
                TimeUnit.MILLISECONDS.toNanos(writerIdleMillis),
                TimeUnit.MILLISECONDS.toNanos(allIdleMillis));
    }

    static long millis(long time, TimeUnit unit) {
        return time <= 0 ? 0 : Math.max(1, unit.toMillis(time));
    }

    /** Returns 0 if that state is turned off. */
    public long getReaderIdleTimeInMillis() {
        return readerIdleMillis;
    }

    /** Returns 0 if that state is turned off. */
    public long getWriterIdleTimeInMillis() {
        return writerIdleMillis;
    }

    /** Returns 0 if that state is turned off. */
    public long getAllIdleTimeInMillis() {
        return allIdleMillis;
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
        IdleWatch.start(ctx, timer, limits, this::channelIdle);
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

    @Override
    public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) throws Exception {
        IdleWatch.onWritten(ctx);
        ctx.sendUpstream(e);
    }

    /**
     * Called on the channel's I/O thread when a state is reached; sends an {@link IdleStateEvent} up by default. If it
     * throws, the exception goes up as an exception event.
     *
     * @param lastActivityTimeMillis see {@link IdleStateEvent#getLastActivityTimeMillis()}
     */
    protected void channelIdle(ChannelHandlerContext ctx, IdleState state, long lastActivityTimeMillis)
            throws Exception {
        ctx.sendUpstream(new DefaultIdleStateEvent(ctx.getChannel(), state, lastActivityTimeMillis));
    }

    @Override
    public void explain(ChannelHandlerContext ctx, Explanation out) {
        out.put(
                "idle after ms, 0 for never",
                readerIdleMillis + " without reading, " + writerIdleMillis + " without writing, " + allIdleMillis
                        + " without either");
    }
}
