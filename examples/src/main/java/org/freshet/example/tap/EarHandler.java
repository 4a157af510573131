package org.freshet.example.tap;

import java.nio.charset.StandardCharsets;
import java.util.Queue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Keeps everything it receives. */
final class EarHandler extends SimpleChannelUpstreamHandler {
    private final Queue<String> heard;

    EarHandler(Queue<String> heard) {
        this.heard = heard;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        heard.add(((ChannelBuffer) e.getMessage()).toString(StandardCharsets.US_ASCII));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println("ear: " + e.getCause());
        e.getChannel().close();
    }
}
