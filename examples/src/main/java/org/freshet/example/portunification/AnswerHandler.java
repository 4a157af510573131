package org.freshet.example.portunification;

import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** The last handler for every protocol: answers a text with the names of the handlers in its connection's pipeline. */
@Sharable
final class AnswerHandler extends SimpleChannelUpstreamHandler {
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        e.getChannel()
                .write(e.getMessage() + " came through " + ctx.getPipeline().getNames() + "\n");
    }

    /** Closes the connection of a client that speaks none of the protocols, or violates one. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.out.println("server: closing a connection: " + e.getCause().getMessage());
        e.getChannel().close();
    }
}
