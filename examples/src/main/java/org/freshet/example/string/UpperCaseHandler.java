package org.freshet.example.string;

import java.util.Locale;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Answers each line in capitals. The annotation promises that an instance may be in many pipelines. */
@Sharable
final class UpperCaseHandler extends SimpleChannelUpstreamHandler {
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        String line = (String) e.getMessage();
        e.getChannel().write(line.toUpperCase(Locale.ROOT) + "\n");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println(e.getChannel() + ": " + e.getCause());
        e.getChannel().close();
    }
}
