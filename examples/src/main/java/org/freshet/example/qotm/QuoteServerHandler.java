package org.freshet.example.qotm;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Answers each question with one of a few quotes, sent to the sender of the question. */
@Sharable
final class QuoteServerHandler extends SimpleChannelUpstreamHandler {
    static final String QUESTION = "quote?";

    private static final List<String> QUOTES = List.of(
            "What gets measured gets managed.",
            "Simple things should be simple, complex things should be possible.",
            "Make it work, make it right, make it fast.",
            "A datagram is a letter without a return receipt.");

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        if (QUESTION.equals(e.getMessage())) {
            String quote = QUOTES.get(ThreadLocalRandom.current().nextInt(QUOTES.size()));
            e.getChannel().write(quote, e.getRemoteAddress());
        }
    }

    /** A datagram that could not be sent only affects that peer; the server continues. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println(e.getCause());
    }
}
