package org.freshet.handler.traffic;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.internal.handler.CoalescedTask;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.telemetry.Explainable;
import org.freshet.telemetry.Explanation;

/**
 * Stops reading from a peer while the peer isn't reading what it is sent. Use it in servers that answer requests:
 * without it, a client that sends requests and reads no answers makes the server keep all the answers.
 *
 * <pre>{@code
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(new BackPressureHandler(), new MyHandler()));
 * }</pre>
 *
 * <p>Reading is suspended while the channel is not {@linkplain Channel#isWritable() writable}, that is, while more
 * bytes are pending than the option {@code writeBufferHighWaterMark} allows. Messages already read are still handled,
 * so the answers to one read come on top. If handlers above call {@code setReadable}, that is respected: the channel is
 * read only if they want it and it is writable. If answers are made on other threads, an {@code ExecutionHandler}
 * limits what waits for them.
 *
 * <p>Use one instance per pipeline, before the handlers that write. You may add and remove it while the channel is
 * open.
 */
public class BackPressureHandler extends SimpleChannelHandler implements LifeCycleAwareChannelHandler, Explainable {
    private final CoalescedTask update = new CoalescedTask(this::update);

    /** Null until the handler is in a pipeline with a channel, and after its removal. */
    private volatile ReadSuspension suspension;

    /** Null whenever {@link #suspension} is. */
    private volatile Channel channel;

    /** The suspension this handler has requested and not ended, or null. Changed within {@link #update} only. */
    private volatile ReadSuspension suspended;

    public BackPressureHandler() {}

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getPipeline().isAttached() && ctx.getChannel().isOpen()) {
            start(ctx);
        }
    }

    @Override
    public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        if (suspension == null) {
            start(ctx);
        }
        super.channelOpen(ctx, e);
    }

    private void start(ChannelHandlerContext ctx) {
        channel = ctx.getChannel();
        suspension = ReadSuspension.at(ctx);
        update.request();
    }

    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        update.request();
        super.channelInterestChanged(ctx, e);
    }

    /** Makes the suspension match the channel's current writability. */
    private void update() {
        ReadSuspension current = suspension;
        boolean congested = current != null && !channel.isWritable();
        if (congested && suspended == null) {
            suspended = current;
            current.suspend();
        } else if (!congested && suspended != null) {
            ReadSuspension ended = suspended;
            suspended = null;
            ended.resume();
        }
    }

    @Override
    public void setInterestOpsRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ReadSuspension current = suspension;
        if (current == null) {
            super.setInterestOpsRequested(ctx, e);
        } else {
            current.request(e);
        }
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        suspension = null;
        update.request();
    }

    @Override
    public void explain(ChannelHandlerContext ctx, Explanation out) {
        out.put("suspends reading", suspended != null);
    }
}
