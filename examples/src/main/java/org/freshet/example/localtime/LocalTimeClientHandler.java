package org.freshet.example.localtime;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import java.util.concurrent.CompletableFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Sends one request and closes after the answer. */
final class LocalTimeClientHandler extends SimpleChannelUpstreamHandler {
    private final ListValue zones;
    private final CompletableFuture<Struct> times = new CompletableFuture<>();

    LocalTimeClientHandler(ListValue zones) {
        this.zones = zones;
    }

    CompletableFuture<Struct> times() {
        return times;
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        e.getChannel().write(zones);
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        times.complete((Struct) e.getMessage());
        e.getChannel().close();
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        times.completeExceptionally(new IllegalStateException("closed without an answer"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        times.completeExceptionally(e.getCause());
        e.getChannel().close();
    }
}
