package org.freshet.example.telnet;

import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Passes answers from the I/O thread, which must not block, to a thread that may. */
final class TelnetClientHandler extends SimpleChannelUpstreamHandler {
    /** The server's answers, in order; empty stands for the end. */
    private final BlockingQueue<Optional<String>> answers = new LinkedBlockingQueue<>();

    /** Waits for the next line; null at the end. */
    String nextAnswer() throws InterruptedException {
        return answers.take().orElse(null);
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        answers.add(Optional.of((String) e.getMessage()));
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        answers.add(Optional.empty());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        if (e.getChannel().isConnected()) { // otherwise connecting failed, and its future reports that
            System.err.println("connection failed: " + e.getCause());
        }
        e.getChannel().close();
    }
}
