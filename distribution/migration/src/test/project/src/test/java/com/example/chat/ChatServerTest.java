package com.example.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jboss.netty.bootstrap.ClientBootstrap;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelFuture;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.channel.socket.oio.OioClientSocketChannelFactory;
import org.jboss.netty.handler.codec.frame.LineBasedFrameDecoder;
import org.jboss.netty.handler.codec.string.StringDecoder;
import org.jboss.netty.handler.codec.string.StringEncoder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChatServerTest {
    private final ChatServer server = new ChatServer();
    private final InetSocketAddress address = server.start();
    private final BlockingQueue<Object> received = new LinkedBlockingQueue<>();
    private final ClientBootstrap bootstrap =
            new ClientBootstrap(new OioClientSocketChannelFactory(Executors.newCachedThreadPool()));

    @AfterEach
    void stop() {
        server.stop();
        bootstrap.releaseExternalResources();
    }

    private Channel join() throws Exception {
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new LineBasedFrameDecoder(100),
                new StringDecoder(),
                new StringEncoder(),
                new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        received.add(e.getMessage());
                    }
                }));
        ChannelFuture connected = bootstrap.connect(address);
        connected.await(30, TimeUnit.SECONDS);
        Channel channel = connected.getChannel();
        channel.write("hello\n");
        assertEquals("hello", received.poll(30, TimeUnit.SECONDS));
        return channel;
    }

    @Test
    void shouldSendToAllMembers() throws Exception {
        Channel first = join();
        Channel second = join();
        assertEquals("hello", received.poll(30, TimeUnit.SECONDS)); // the second member's line, at the first member
        first.write("anybody?\n");
        assertEquals("anybody?", received.poll(30, TimeUnit.SECONDS));
        assertEquals("anybody?", received.poll(30, TimeUnit.SECONDS));
        second.close().await(30, TimeUnit.SECONDS);
    }

    @Test
    void shouldCloseAfterBye() throws Exception {
        Channel member = join();
        member.write("bye\n");
        assertEquals("bye", received.poll(30, TimeUnit.SECONDS));
        assertEquals(true, member.getCloseFuture().await(30, TimeUnit.SECONDS));
    }
}
