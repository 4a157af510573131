package org.freshet.handler.codec.serialization;

import static org.freshet.handler.codec.embedder.DecodedStream.next;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.ObjectInputFilter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.jboss.netty.bootstrap.ClientBootstrap;
import org.jboss.netty.bootstrap.ServerBootstrap;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelFuture;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelPipeline;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.channel.socket.nio.NioClientSocketChannelFactory;
import org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory;
import org.jboss.netty.handler.codec.serialization.ClassResolvers;
import org.junit.jupiter.api.Test;

/** Objects exchanged with a Netty 3 peer over a real socket. */
class ObjectCodecInteropTest {
    private static final int DEADLINE_SECONDS = 30;

    private static final ObjectInputFilter OURS =
            ObjectInputFilter.Config.createFilter("org.freshet.handler.codec.serialization.Samples$*");

    /** Sends each object back. */
    private static final class TheirEcho extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }
    }

    private static ChannelPipeline theirPipeline(SimpleChannelUpstreamHandler handler) {
        return Channels.pipeline(
                new org.jboss.netty.handler.codec.serialization.ObjectDecoder(ClassResolvers.cacheDisabled(null)),
                new org.jboss.netty.handler.codec.serialization.ObjectEncoder(),
                handler);
    }

    private static List<Object> samples() throws IOException {
        List<Object> samples = new ArrayList<>(Samples.jdk());
        samples.addAll(Samples.custom());
        return samples;
    }

    private static byte[] encode(Object object) {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new ObjectEncoder());
        encoder.offer(object);
        ChannelBuffer encoded = encoder.poll();
        byte[] bytes = new byte[encoded.readableBytes()];
        encoded.readBytes(bytes);
        return bytes;
    }

    private static void assertSame(Object expected, Object actual) {
        if (expected.getClass().isArray()) {
            assertTrue(Arrays.deepEquals(new Object[] {expected}, new Object[] {actual}), expected.getClass()::getName);
        } else {
            assertEquals(expected, actual);
        }
    }

    @Test
    void shouldTalkToANetty3Server() throws Exception {
        ServerBootstrap bootstrap = new ServerBootstrap(
                new NioServerSocketChannelFactory(Executors.newCachedThreadPool(), Executors.newCachedThreadPool(), 1));
        bootstrap.setPipelineFactory(() -> theirPipeline(new TheirEcho()));
        Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), ((InetSocketAddress) server.getLocalAddress()).getPort())) {
            socket.setSoTimeout(DEADLINE_SECONDS * 1000);
            DecoderEmbedder<Object> decoder = new DecoderEmbedder<>(new ObjectDecoder(
                    1 << 20, org.freshet.handler.codec.serialization.ClassResolvers.cacheDisabled(null), OURS));
            for (Object sample : samples()) {
                socket.getOutputStream().write(encode(sample));
                assertSame(sample, next(decoder, socket.getInputStream()));
            }
        } finally {
            server.close().awaitUninterruptibly(DEADLINE_SECONDS, TimeUnit.SECONDS);
            bootstrap.releaseExternalResources();
        }
    }

    @Test
    void shouldTalkToANetty3Client() throws Exception {
        BlockingQueue<Object> received = new LinkedBlockingQueue<>();
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory(
                Executors.newCachedThreadPool(), Executors.newCachedThreadPool(), 1, 1));
        bootstrap.setPipelineFactory(() -> theirPipeline(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                received.add(e.getMessage());
            }
        }));
        Channel client = null;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ChannelFuture connect = bootstrap.connect(server.getLocalSocketAddress());
            client = connect.getChannel();
            assertTrue(connect.await(DEADLINE_SECONDS, TimeUnit.SECONDS), "the client's connection");
            try (Socket socket = server.accept()) {
                socket.setSoTimeout(DEADLINE_SECONDS * 1000);
                DecoderEmbedder<Object> decoder = new DecoderEmbedder<>(new ObjectDecoder(
                        1 << 20, org.freshet.handler.codec.serialization.ClassResolvers.cacheDisabled(null), OURS));
                for (Object sample : samples()) {
                    client.write(sample);
                    Object read = next(decoder, socket.getInputStream());
                    assertSame(sample, read);
                    socket.getOutputStream().write(encode(read));
                    assertSame(sample, received.poll(DEADLINE_SECONDS, TimeUnit.SECONDS));
                }
            }
        } finally {
            if (client != null) {
                client.close().awaitUninterruptibly(DEADLINE_SECONDS, TimeUnit.SECONDS);
            }
            bootstrap.releaseExternalResources();
        }
    }
}
