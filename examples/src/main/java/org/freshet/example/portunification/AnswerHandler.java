package org.freshet.example.portunification;

import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** The last handler, whatever is spoken: answers a text with what its connection's pipeline has become. */
@Sharable
final class AnswerHandler extends SimpleChannelUpstreamHandler {
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        e.getChannel()
                .write(e.getMessage() + " came through " + ctx.getPipeline().getNames() + "\n");
    }

    /** Closes the connection of a client that speaks none of the protocols, or one of them wrongly. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.out.println("server: closing a connection: " + e.getCause().getMessage());
        e.getChannel().close();
    }
}
