package org.freshet.example.securechat;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelLocal;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.handler.ssl.SslHandler;

/** A client's first line is its name; every later line goes to all clients. */
@Sharable
final class ChatRoom extends SimpleChannelUpstreamHandler {
    private final ChannelGroup members = new DefaultChannelGroup("members");
    private final ChannelLocal<String> names = new ChannelLocal<>();

    /** A client is greeted after the handshake, so that the greeting is encrypted. */
    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        SslHandler tls = ctx.getPipeline().get(SslHandler.class);
        tls.handshake().addListener(handshake -> {
            if (handshake.isSuccess()) {
                e.getChannel().write("Welcome! What is your name?\n");
            }
        });
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        Channel channel = e.getChannel();
        String line = (String) e.getMessage();
        String name = names.get(channel);
        if (name == null) {
            names.set(channel, line);
            members.add(channel);
            channel.write("You are " + line + ", one of " + members.size() + ".\n");
        } else if (line.equals("bye")) {
            channel.write("Bye.\n").addListener(ChannelFutureListener.CLOSE);
        } else {
            members.write(name + ": " + line + "\n");
        }
    }

    /** Disconnects a member that does not read, so that its unread messages don't pile up. */
    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
        if (!e.getChannel().isWritable()) {
            e.getChannel().close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.out.println("(server) " + e.getCause().getMessage());
        e.getChannel().close();
    }
}
