package org.freshet.testing;

import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;

/** Echoes messages, and records every event. */
public final class Echo extends Recorder {
    @Override
    protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent message) {
            ctx.getChannel().write(message.getMessage());
        } else {
            super.handle(ctx, e);
        }
    }
}
