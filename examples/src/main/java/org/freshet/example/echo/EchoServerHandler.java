package org.freshet.example.echo;

import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Writes every message back to where it came from. Keeps no state, so one instance serves every connection. */
@Sharable
final class EchoServerHandler extends SimpleChannelUpstreamHandler {
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        e.getChannel().write(e.getMessage());
    }

    /** A peer that does not read what it is sent is not read from either, so it costs bounded memory. */
    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
        boolean writable = e.getChannel().isWritable();
        if (e.getChannel().isReadable() != writable) {
            e.getChannel().setReadable(writable);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println(e.getChannel() + ": " + e.getCause());
        e.getChannel().close();
    }
}
