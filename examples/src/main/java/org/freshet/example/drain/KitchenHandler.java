package org.freshet.example.drain;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * Serves a line protocol: {@code DISH MILLIS} is answered when the dish is ready. When the server is drained, the
 * handler sends {@code closing} and takes no more orders; the connection is kept until the dish is served. Its fields
 * belong to the channel's I/O thread.
 */
final class KitchenHandler extends SimpleChannelUpstreamHandler {
    private final ScheduledExecutorService stove;

    /** Null while nothing is cooking. */
    private String dish;

    /** Null until the server is drained. */
    private DrainEvent drain;

    /** Null unless the server is being drained and a dish is still cooking. */
    private DrainEvent.Hold hold;

    KitchenHandler(ScheduledExecutorService stove) {
        this.stove = stove;
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        e.getChannel().write("welcome\n");
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        Channel channel = e.getChannel();
        String[] order = ((String) e.getMessage()).split(" ");
        if (drain != null || dish != null) {
            channel.write("no " + order[0] + "\n");
            return;
        }
        dish = order[0];
        channel.write("cooking " + dish + "\n");
        stove.schedule(
                () -> channel.getPipeline().execute(() -> serve(channel)),
                Long.parseLong(order[1]),
                TimeUnit.MILLISECONDS);
    }

    private void serve(Channel channel) {
        channel.write(dish + " is served\n");
        dish = null;
        if (hold != null) {
            hold.release();
        }
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof DrainEvent event) {
            drain = event;
            if (dish != null) {
                hold = event.hold(ctx, "cooking " + dish);
            }
            event.claim();
            e.getChannel().write("closing\n");
        }
        super.handleUpstream(ctx, e);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println("kitchen: " + e.getCause());
        e.getChannel().close();
    }
}
