package org.freshet.handler.codec.marshalling;

import static org.freshet.handler.codec.embedder.DecodedStream.next;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.serialization.Samples;
import org.jboss.netty.bootstrap.ServerBootstrap;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandler;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelStateEvent;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects exchanged with Netty 3: the same bytes, and over a real socket. */
class MarshallingInteropTest {
    private static final int DEADLINE_SECONDS = 30;

    private static final int MAX_OBJECT_SIZE = 1 << 20;

    /** River also asks the filter about class objects. */
    private static final String OURS = Samples.class.getName() + "$*;java.lang.Class";

    private static List<Object> samples() throws IOException {
        List<Object> samples = new ArrayList<>(Samples.jdk());
        samples.addAll(Samples.custom());
        return samples;
    }

    private static ChannelHandler[] theirCodec(Protocol protocol, boolean framed) {
        var marshallers = new org.jboss.netty.handler.codec.marshalling.DefaultMarshallerProvider(
                protocol.factory(), protocol.config());
        var unmarshallers = new org.jboss.netty.handler.codec.marshalling.DefaultUnmarshallerProvider(
                protocol.factory(), protocol.config());
        return framed
                ? new ChannelHandler[] {
                    new org.jboss.netty.handler.codec.marshalling.MarshallingDecoder(unmarshallers, MAX_OBJECT_SIZE),
                    new org.jboss.netty.handler.codec.marshalling.MarshallingEncoder(marshallers)
                }
                : new ChannelHandler[] {
                    new org.jboss.netty.handler.codec.marshalling.CompatibleMarshallingDecoder(
                            unmarshallers, MAX_OBJECT_SIZE),
                    new org.jboss.netty.handler.codec.marshalling.CompatibleMarshallingEncoder(marshallers)
                };
    }

    /** Sends each object back. */
    private static final class TheirEcho extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteTheSameBytesAsNetty3(Protocol protocol) throws IOException {
        for (boolean framed : new boolean[] {true, false}) {
            var theirs =
                    new org.jboss.netty.handler.codec.embedder.EncoderEmbedder<org.jboss.netty.buffer.ChannelBuffer>(
                            (org.jboss.netty.channel.ChannelDownstreamHandler) theirCodec(protocol, framed)[1]);
            for (Object sample : samples()) {
                theirs.offer(sample);
                byte[] expected = theirs.poll().toByteBuffer().array();
                byte[] ours = framed ? protocol.framed(sample) : protocol.bare(sample);
                assertEquals(
                        HexFormat.of().formatHex(Arrays.copyOf(expected, ours.length)),
                        HexFormat.of().formatHex(ours),
                        () -> "for " + sample);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTalkToANetty3Server(Protocol protocol) throws Exception {
        DecoderEmbedder<Object> decoder = new DecoderEmbedder<>(new MarshallingDecoder(protocol.unmarshallers(OURS)));
        List<Object> samples = samples();
        withServer(new TheirEcho(), theirCodec(protocol, true), socket -> {
            for (Object sample : samples) {
                socket.getOutputStream().write(protocol.framed(sample));
                assertSameContent(sample, next(decoder, socket.getInputStream()));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadObjectsWithoutLengthsFromANetty3Server(Protocol protocol) throws Exception {
        DecoderEmbedder<Object> decoder =
                new DecoderEmbedder<>(new CompatibleMarshallingDecoder(protocol.unmarshallers(OURS), MAX_OBJECT_SIZE));
        List<Object> samples = samples();
        SimpleChannelUpstreamHandler writer = new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                samples.forEach(e.getChannel()::write);
            }
        };
        withServer(writer, theirCodec(protocol, false), socket -> {
            for (Object sample : samples) {
                assertSameContent(sample, next(decoder, socket.getInputStream()));
            }
        });
    }

    /** Netty 3 may hold back an object without a length until the connection ends. */
    @ParameterizedTest
    @EnumSource
    void shouldWriteObjectsWithoutLengthsThatANetty3ServerReads(Protocol protocol) throws Exception {
        BlockingQueue<Object> received = new LinkedBlockingQueue<>();
        SimpleChannelUpstreamHandler reader = new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                received.add(e.getMessage());
            }
        };
        for (Object sample : samples().subList(0, 8)) {
            withServer(reader, theirCodec(protocol, false), socket -> {
                socket.getOutputStream().write(protocol.bare(sample));
                socket.shutdownOutput();
                assertSameContent(sample, received.poll(DEADLINE_SECONDS, TimeUnit.SECONDS));
            });
        }
    }

    private interface Peer {
        void talk(Socket socket) throws Exception;
    }

    private static void withServer(ChannelHandler handler, ChannelHandler[] codec, Peer peer) throws Exception {
        ServerBootstrap bootstrap = new ServerBootstrap(
                new NioServerSocketChannelFactory(Executors.newCachedThreadPool(), Executors.newCachedThreadPool(), 1));
        bootstrap.setPipelineFactory(() -> Channels.pipeline(codec[0], codec[1], handler));
        Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), ((InetSocketAddress) server.getLocalAddress()).getPort())) {
            socket.setSoTimeout(DEADLINE_SECONDS * 1000);
            peer.talk(socket);
        } finally {
            server.close().awaitUninterruptibly(DEADLINE_SECONDS, TimeUnit.SECONDS);
            bootstrap.releaseExternalResources();
        }
    }

    private static void assertSameContent(Object expected, Object actual) {
        assertTrue(
                Arrays.deepEquals(new Object[] {expected}, new Object[] {actual}),
                () -> expected + " was received as " + actual);
    }
}
