package org.freshet.handler.execution;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Runs tasks and echoes everything else. */
class TaskRunner extends SimpleChannelUpstreamHandler {
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        if (e.getMessage() instanceof Runnable task) {
            task.run();
        } else {
            e.getChannel().write(e.getMessage());
        }
    }

    static Runnable throwing(String message) {
        return () -> {
            throw new IllegalStateException(message);
        };
    }
}
