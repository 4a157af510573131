package org.freshet.example.buffersize;

import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.SocketChannelConfig;

/**
 * Answers each string with three numbers: its length, its number of decoder calls, and the current size of the receive
 * buffer.
 */
@Sharable
final class StringReporter extends SimpleChannelUpstreamHandler {
    static final int NUMBERS = 3;

    private final AnswerFormat format;

    StringReporter(AnswerFormat format) {
        this.format = format;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        String text = (String) e.getMessage();
        SocketChannelConfig config = (SocketChannelConfig) e.getChannel().getConfig();
        int calls = CountingFrameDecoder.CALLS.get(e.getChannel());
        e.getChannel().write(format.message(text.length(), calls, config.getReceiveBufferSize()));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println(e.getChannel() + ": " + e.getCause());
        e.getChannel().close();
    }
}
