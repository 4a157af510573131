package org.freshet.example.objectecho;

import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Sends every object back, or the reason it was not read. */
@Sharable
final class ObjectEchoServerHandler extends SimpleChannelUpstreamHandler {
    static final String REFUSED = "refused: ";

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        e.getChannel().write(e.getMessage());
    }

    /** An object of a class that is not allowed is skipped; the next one can be read. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        if (e.getCause() instanceof ClassNotFoundException) {
            e.getChannel().write(REFUSED + e.getCause().getMessage());
        } else {
            System.err.println(e.getChannel() + ": " + e.getCause());
            e.getChannel().close();
        }
    }
}
