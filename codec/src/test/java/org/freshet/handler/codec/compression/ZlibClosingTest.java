package org.freshet.handler.codec.compression;

import static org.freshet.handler.codec.compression.ZlibStreams.deflated;
import static org.freshet.handler.codec.compression.ZlibStreams.wrap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection that ends in the middle of a compressed stream. */
class ZlibClosingTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private enum Transport {
        NIO(NioServerSocketChannelFactory::new, NioClientSocketChannelFactory::new),
        OIO(OioServerSocketChannelFactory::new, OioClientSocketChannelFactory::new);

        private final Supplier<ChannelFactory> servers;
        private final Supplier<ChannelFactory> clients;

        Transport(Supplier<ChannelFactory> servers, Supplier<ChannelFactory> clients) {
            this.servers = servers;
            this.clients = clients;
        }

        Rig rig() {
            return new Rig(servers.get(), clients.get());
        }
    }

    /** Located after the decoder; records when it is connected, and how it ended. */
    private static final class Receiver extends SimpleChannelUpstreamHandler {
        final CompletableFuture<Channel> received = new CompletableFuture<>();
        final CompletableFuture<Void> closed = new CompletableFuture<>();
        final List<Throwable> failures = new CopyOnWriteArrayList<>();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            received.complete(e.getChannel());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            failures.add(e.getCause());
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            closed.complete(null);
        }
    }

    /** Random content, so that part of it is delivered before the stream ends. */
    private static byte[] truncated() {
        byte[] content = new byte[100_000];
        new Random(7).nextBytes(content);
        byte[] stream = deflated(ZlibWrapper.ZLIB, content);
        return Arrays.copyOf(stream, stream.length / 2);
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeSilentWhenThisSideCloses(Transport transport) throws Exception {
        Receiver receiver = new Receiver();
        try (Rig rig = transport.rig()) {
            rig.server().setPipelineFactory(() -> Channels.pipeline(new ZlibDecoder(), receiver));
            Channel server = rig.server().bind(LOOPBACK);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send(truncated());
                Await.success(Await.result(receiver.received, "output").close(), "the close");
                Await.result(receiver.closed, "channelClosed");
                assertEquals(List.of(), receiver.failures);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportAStreamThatThePeerCutShort(Transport transport) throws Exception {
        Receiver receiver = new Receiver();
        try (Rig rig = transport.rig()) {
            rig.server().setPipelineFactory(() -> Channels.pipeline(new ZlibDecoder(), receiver));
            Channel server = rig.server().bind(LOOPBACK);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send(truncated()).endOutput();
                Await.result(receiver.closed, "channelClosed");
                assertEquals(
                        List.of("compressed stream is truncated"),
                        receiver.failures.stream().map(Throwable::getMessage).toList());
            }
        }
    }

    @Test
    void shouldDistinguishTheEndOfTheInputFromACloseInAnEmbedder() {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new ZlibDecoder());
        embedder.offer(wrap(Arrays.copyOf(truncated(), 3)));
        assertNull(embedder.poll());
        embedder.getPipeline().getChannel().close();
        assertFalse(embedder.finish(), "no output, and no failure");
    }
}
