package org.freshet.example.factorial;

import java.math.BigInteger;
import java.util.concurrent.CompletableFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Asks one question and closes after the answer. */
final class FactorialClientHandler extends SimpleChannelUpstreamHandler {
    private final Range question;
    private final CompletableFuture<BigInteger> answer = new CompletableFuture<>();

    FactorialClientHandler(Range question) {
        this.question = question;
    }

    CompletableFuture<BigInteger> answer() {
        return answer;
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        e.getChannel().write(question);
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        answer.complete((BigInteger) e.getMessage());
        e.getChannel().close();
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        answer.completeExceptionally(new IllegalStateException("closed without an answer to " + question));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        answer.completeExceptionally(e.getCause());
        e.getChannel().close();
    }
}
