package org.freshet.example.multicast;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ConnectionlessBootstrap;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.DatagramChannel;
import org.freshet.channel.socket.InternetProtocolFamily;
import org.freshet.channel.socket.nio.NioDatagramChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;

/**
 * Two members of a group on the loopback interface receive what a third socket sends once. One leaves, and receives no
 * more.
 */
public final class Multicast {
    /** From the block for use within one organisation. */
    private static final String GROUP = "239.255.27.1";

    private static final long HEARING_TIMEOUT_MILLIS = 1000;

    private final ConnectionlessBootstrap bootstrap =
            new ConnectionlessBootstrap(new NioDatagramChannelFactory(InternetProtocolFamily.IPv4));
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final NetworkInterface loopback;

    private Multicast(NetworkInterface loopback) {
        this.loopback = loopback;
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new StringEncoder(StandardCharsets.UTF_8), new StringDecoder(StandardCharsets.UTF_8), new Ear()));
        bootstrap.setOption("reuseAddress", true); // several members on one port
        bootstrap.setOption("networkInterface", loopback);
        bootstrap.setOption("loopbackModeDisabled", false);
    }

    public static void main(String[] args) throws Exception {
        new Arguments("multicast", 0, 0, args);
        System.out.println("multicast: one datagram, heard by every member of the group");
        new Multicast(NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress())).run();
    }

    private void run() throws Exception {
        try {
            DatagramChannel first = (DatagramChannel) bootstrap.bind(new InetSocketAddress(0));
            InetSocketAddress group = new InetSocketAddress(
                    InetAddress.getByName(GROUP), first.getLocalAddress().getPort());
            DatagramChannel second = (DatagramChannel) bootstrap.bind(new InetSocketAddress(group.getPort()));
            DatagramChannel sender = (DatagramChannel) bootstrap.bind(new InetSocketAddress(0));
            first.joinGroup(group, loopback).sync();
            second.joinGroup(group, loopback).sync();
            say(sender, group, "hello, all", 2);
            second.leaveGroup(group, loopback).sync();
            say(sender, group, "hello, the rest of you", 1);
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    private void say(DatagramChannel sender, InetSocketAddress group, String text, int members)
            throws InterruptedException {
        System.out.println("sent once: " + text);
        sender.write(text, group).sync();
        for (int i = 0; i < members; i++) {
            String ear = heard.poll(HEARING_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            System.out.println(ear == null ? "  no member got it: is multicast allowed on " + loopback + "?" : ear);
        }
    }

    private final class Ear extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            heard.add("  heard by member " + e.getChannel().getId() + ": " + e.getMessage());
        }
    }
}
