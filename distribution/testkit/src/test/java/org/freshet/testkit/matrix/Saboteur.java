package org.freshet.testkit.matrix;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.stream.ChunkedInput;

/**
 * Handles the application's messages with their numbers, and passes everything else. For the thread that holds the
 * simulation's baton.
 */
class Saboteur extends SimpleChannelHandler {
    private final Stage stage;
    private int messages;

    Saboteur(Stage stage) {
        this.stage = stage;
    }

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        Object message = e.getMessage();
        boolean isMessage = !(message instanceof ChunkedInput)
                && !(message instanceof FileRegion)
                && stage.kind().content(message).readableBytes() == stage.messageBytes();
        if (isMessage) {
            onMessage(ctx, e, messages++);
        } else {
            ctx.sendDownstream(e);
        }
    }

    /** @param number from 0 on, counted over all threads */
    void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
        ctx.sendDownstream(e);
    }
}
