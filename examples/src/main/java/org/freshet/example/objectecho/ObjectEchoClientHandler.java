package org.freshet.example.objectecho;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Sends objects one after the other without waiting, and collects the answers. */
final class ObjectEchoClientHandler extends SimpleChannelUpstreamHandler {
    private final List<Object> objects;
    private final List<Object> received = new ArrayList<>();
    private final CompletableFuture<List<Object>> answers = new CompletableFuture<>();

    ObjectEchoClientHandler(List<Object> objects) {
        this.objects = objects;
    }

    CompletableFuture<List<Object>> answers() {
        return answers;
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        for (Object object : objects) {
            e.getChannel().write(object);
        }
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        received.add(e.getMessage());
        if (received.size() == objects.size()) {
            answers.complete(received);
            e.getChannel().close();
        }
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        answers.completeExceptionally(new IllegalStateException("closed after " + received.size() + " answers"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        answers.completeExceptionally(e.getCause());
        e.getChannel().close();
    }
}
