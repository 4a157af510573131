package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.junit.jupiter.api.Test;

class EchoTest {
    @Sharable
    private static final class Echo extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }
    }

    @Test
    void shouldEchoToAPlainSocket() throws Exception {
        NioServerSocketChannelFactory factory = new NioServerSocketChannelFactory();
        try {
            Channel server = factory.newChannel(Channels.pipeline());
            Echo echo = new Echo();
            server.getConfig().setPipelineFactory(() -> Channels.pipeline(echo));
            assertTrue(server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .await(5000));
            InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
            try (Socket client = new Socket(address.getAddress(), address.getPort())) {
                client.setSoTimeout(5000);
                byte[] sent = "hello".getBytes();
                client.getOutputStream().write(sent);
                InputStream in = client.getInputStream();
                assertArrayEquals(sent, in.readNBytes(5));
            }
        } finally {
            factory.releaseExternalResources();
        }
    }
}
