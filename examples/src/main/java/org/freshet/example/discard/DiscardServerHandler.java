package org.freshet.example.discard;

import java.util.function.LongConsumer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Reads and counts. Exclusive: the count is for one connection, and belongs to its I/O thread. */
final class DiscardServerHandler extends SimpleChannelUpstreamHandler {
    private final LongConsumer atEnd;
    private long bytes;

    /** @param atEnd receives the number of bytes when the connection is closed */
    DiscardServerHandler(LongConsumer atEnd) {
        this.atEnd = atEnd;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        bytes += ((ChannelBuffer) e.getMessage()).readableBytes();
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        atEnd.accept(bytes);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println(e.getChannel() + ": " + e.getCause());
        e.getChannel().close();
    }
}
