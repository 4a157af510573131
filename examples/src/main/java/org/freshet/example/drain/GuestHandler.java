package org.freshet.example.drain;

import java.util.concurrent.CountDownLatch;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** A client: sends one order, and prints what it receives. */
final class GuestHandler extends SimpleChannelUpstreamHandler {
    private final String name;
    private final String order;
    private final CountDownLatch seated;

    /**
     * @param order empty for none
     * @param seated counted down when the server has received the order; without an order, when the server has accepted
     *     the connection
     */
    GuestHandler(String name, String order, CountDownLatch seated) {
        this.name = name;
        this.order = order;
        this.seated = seated;
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        if (!order.isEmpty()) {
            e.getChannel().write(order + "\n");
        }
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        String line = (String) e.getMessage();
        System.out.println("  " + name + " hears: " + line);
        if (line.startsWith(order.isEmpty() ? "welcome" : "cooking")) {
            seated.countDown();
        }
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        System.out.println("  " + name + " has left");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println(name + ": " + e.getCause());
        e.getChannel().close();
    }
}
