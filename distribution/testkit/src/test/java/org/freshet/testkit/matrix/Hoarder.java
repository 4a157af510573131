package org.freshet.testkit.matrix;

import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteCompletionEvent;

/** Holds messages while the channel isn't writable. */
abstract class Hoarder extends Saboteur {
    private final Queue<MessageEvent> held = new ArrayDeque<>();

    Hoarder(Stage stage) {
        super(stage);
    }

    abstract boolean mayHold(MessageEvent e);

    @Override
    void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
        if (mayHold(e)) {
            held.add(e);
        }
        sendHeld(ctx);
    }

    private void sendHeld(ChannelHandlerContext ctx) {
        boolean isOpen = ctx.getChannel().isOpen();
        while (!held.isEmpty() && (!isOpen || ctx.getChannel().isWritable())) {
            ctx.sendDownstream(held.poll());
        }
    }

    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
        sendHeld(ctx);
        ctx.sendUpstream(e);
    }

    @Override
    public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
        sendHeld(ctx);
        ctx.sendUpstream(e);
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        sendHeld(ctx);
        ctx.sendUpstream(e);
    }
}
