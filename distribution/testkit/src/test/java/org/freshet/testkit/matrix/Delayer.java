package org.freshet.testkit.matrix;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;

/** Holds messages for a second. */
abstract class Delayer extends Saboteur {
    private final Stage stage;

    Delayer(Stage stage) {
        super(stage);
        this.stage = stage;
    }

    @Override
    void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
        stage.timer().newTimeout(t -> onLate(ctx, e), 1, TimeUnit.SECONDS);
    }

    void onLate(ChannelHandlerContext ctx, MessageEvent e) {
        ctx.sendDownstream(e);
    }
}
