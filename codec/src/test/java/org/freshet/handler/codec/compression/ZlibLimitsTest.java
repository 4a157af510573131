package org.freshet.handler.codec.compression;

import static org.freshet.handler.codec.compression.ZlibStreams.all;
import static org.freshet.handler.codec.compression.ZlibStreams.deflated;
import static org.freshet.handler.codec.compression.ZlibStreams.failure;
import static org.freshet.handler.codec.compression.ZlibStreams.inflate;
import static org.freshet.handler.codec.compression.ZlibStreams.join;
import static org.freshet.handler.codec.compression.ZlibStreams.wrap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How much output there is, and when. */
class ZlibLimitsTest {
    @ParameterizedTest
    @EnumSource
    void shouldStopABombInAnyWrapper(Form form) {
        byte[] bomb = form.of(new byte[20 << 20]);
        ZlibDecoder decoder = form.decoder(1_000_000);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder);
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> embedder.offer(wrap(bomb)));
        assertEquals(CompressionException.class, e.getCause().getClass());
        assertEquals("inflated bytes > 1000000", e.getCause().getMessage());
        Object[] pieces = embedder.pollAll();
        for (Object piece : pieces) {
            assertTrue(((ChannelBuffer) piece).capacity() <= 65_536, "piece " + piece);
        }
        assertEquals(1_000_000, all(pieces).length);
        embedder.offer(wrap(bomb));
        assertFalse(embedder.finish(), "the rest is discarded");
    }

    @Test
    void shouldStopABombAtTheLimit() {
        byte[] bomb = deflated(ZlibWrapper.GZIP, new byte[20 << 20]);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new ZlibDecoder(ZlibWrapper.GZIP, 1_000_000));
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> embedder.offer(wrap(bomb)));
        assertEquals("inflated bytes > 1000000", e.getCause().getMessage());
        assertEquals(1_000_000, all(embedder.pollAll()).length);
        assertFalse(embedder.finish());
        byte[] fitting = deflated(ZlibWrapper.GZIP, new byte[1_000_000]);
        assertEquals(
                1_000_000,
                inflate(new ZlibDecoder(ZlibWrapper.GZIP, 1_000_000), fitting).length());
        byte[] members = join(fitting, deflated(ZlibWrapper.GZIP, "x"));
        assertEquals(
                "inflated bytes > 1000000",
                failure(new ZlibDecoder(ZlibWrapper.GZIP, 1_000_000), members).getMessage());
        DecoderSplitChecker.of(() -> new ZlibDecoder(ZlibWrapper.ZLIB, 10))
                .joiningBuffers()
                .check(deflated(ZlibWrapper.ZLIB, "elevenbytes"));
    }

    @Test
    void shouldHaveAFiniteLimitByDefault() {
        byte[] chunk = deflated(ZlibWrapper.NONE, new byte[1 << 20]);
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new ZlibEncoder(ZlibWrapper.GZIP));
        encoder.offer(wrap(new byte[16 << 20]));
        ChannelBuffer head = encoder.poll();
        encoder.offer(wrap(new byte[16 << 20]));
        ChannelBuffer next = encoder.poll();
        assertTrue(chunk.length < 2000);
        long[] output = new long[1];
        DecoderEmbedder<ChannelBuffer> decoder =
                new DecoderEmbedder<>(new ZlibDecoder(ZlibWrapper.GZIP), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        output[0] += ((ChannelBuffer) e.getMessage()).readableBytes();
                    }
                });
        decoder.offer(head);
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> {
            for (int i = 0; i < 100; i++) {
                decoder.offer(next.duplicate());
            }
        });
        assertEquals("inflated bytes > 1073741824", e.getCause().getMessage());
        assertEquals(1L << 30, output[0]);
    }

    @Test
    void shouldDeliverPiecesOfBoundedSizeOneAtATime() {
        byte[] bomb = deflated(ZlibWrapper.ZLIB, new byte[5 << 20]);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new ZlibDecoder());
        embedder.offer(wrap(bomb));
        assertTrue(embedder.size() >= 80);
        for (Object piece : embedder.pollAll()) {
            assertTrue(((ChannelBuffer) piece).capacity() <= 65_536);
        }
    }

    /** Accepts one piece, then suspends reading. */
    private static final class SlowReader extends SimpleChannelUpstreamHandler {
        final List<String> seen = new ArrayList<>();
        int bytes;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof ChannelBuffer piece) {
                bytes += piece.readableBytes();
                seen.add("piece");
            } else {
                seen.add((String) e.getMessage());
            }
            e.getChannel().setReadable(false);
        }

        @Override
        public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) {
            seen.add("input ended");
        }

        @Override
        public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add("disconnected");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            seen.add(e.getCause().getMessage());
        }
    }

    @Test
    void shouldStopInflatingWhileReadingIsSuspended() {
        byte[] first = deflated(ZlibWrapper.ZLIB, new byte[1 << 20]);
        SlowReader reader = new SlowReader();
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new ZlibDecoder(), reader);
        embedder.offer(wrap(first));
        assertEquals(List.of("piece"), reader.seen);
        embedder.offer("queued behind");
        assertEquals(List.of("piece"), reader.seen);
        embedder.getPipeline().getChannel().setReadable(true);
        assertEquals(List.of("piece", "piece"), reader.seen);
        while (reader.bytes < 1 << 20) {
            embedder.getPipeline().getChannel().setReadable(true);
        }
        embedder.getPipeline().getChannel().setReadable(true);
        assertEquals("queued behind", reader.seen.get(reader.seen.size() - 1));
        assertFalse(embedder.finish());
        assertEquals("disconnected", reader.seen.get(reader.seen.size() - 1));
    }

    /** As in an upgrade to compression: the handler before it hands over what it had read. */
    @Test
    void shouldHoldOutputIfReadingWasSuspendedBeforeItWasAdded() {
        SlowReader reader = new SlowReader();
        MemoryChannel channel = MemoryChannel.connected(reader);
        channel.setReadable(false);
        channel.getPipeline().addFirst("inflater", new ZlibDecoder());
        channel.receive(wrap(deflated(ZlibWrapper.ZLIB, new byte[1 << 20])));
        assertEquals(List.of("piece"), reader.seen);
        while (reader.bytes < 1 << 20) {
            channel.setReadable(true);
        }
    }

    /** Then resuming changes nothing below, and causes no event. */
    @Test
    void shouldContinueAlthoughAnEarlierHandlerHasSuspendedReading() {
        SlowReader reader = new SlowReader();
        SuspendingHandler earlier = new SuspendingHandler();
        MemoryChannel channel = MemoryChannel.connected(earlier, new ZlibDecoder(), reader);
        channel.setReadable(true);
        earlier.reading.suspend();
        channel.receive(wrap(deflated(ZlibWrapper.ZLIB, new byte[1 << 20])));
        for (int pieces = 1; reader.bytes < 1 << 20; pieces++) {
            assertEquals(pieces, reader.seen.size());
            channel.setReadable(true);
        }
    }

    private static final class SuspendingHandler implements ChannelDownstreamHandler {
        ReadSuspension reading;

        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (!ReadSuspension.isReadRequest(e)) {
                ctx.sendDownstream(e);
                return;
            }
            if (reading == null) {
                reading = ReadSuspension.at(ctx);
            }
            reading.request((ChannelStateEvent) e);
        }
    }

    @Test
    void shouldDeliverHeldBackOutputBeforeReportingTheEnd() {
        for (boolean removed : new boolean[] {false, true}) {
            SlowReader reader = new SlowReader();
            ZlibDecoder decoder = new ZlibDecoder();
            DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder, reader);
            embedder.offer(wrap(deflated(ZlibWrapper.ZLIB, new byte[1 << 20])));
            embedder.offer("queued behind");
            if (removed) {
                embedder.getPipeline().remove(decoder);
            }
            embedder.finish();
            assertEquals(1 << 20, reader.bytes);
            assertEquals(
                    List.of("queued behind", "disconnected"),
                    reader.seen.subList(reader.seen.size() - 2, reader.seen.size()));
        }
    }

    @Test
    void shouldReportTheEndOfTheInputAfterHeldBackOutput() {
        SlowReader reader = new SlowReader();
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new ZlibDecoder(), reader);
        Channel channel = embedder.getPipeline().getChannel();
        embedder.offer(wrap(deflated(ZlibWrapper.ZLIB, new byte[1 << 20])));
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));
        while (reader.bytes < 1 << 20) {
            assertFalse(reader.seen.contains("input ended"), "after " + reader.bytes + " bytes");
            channel.setReadable(true);
        }
        channel.setReadable(true);
        assertEquals("input ended", reader.seen.get(reader.seen.size() - 1));
    }

    /** Closes at the first piece. */
    private static final class Closer extends SimpleChannelUpstreamHandler {
        final AtomicInteger pieces = new AtomicInteger();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            pieces.incrementAndGet();
            e.getChannel().close();
        }
    }

    @Test
    void shouldStopWhenAHandlerClosesTheChannel() {
        Closer closer = new Closer();
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new ZlibDecoder(), closer);
        embedder.offer(wrap(deflated(ZlibWrapper.ZLIB, new byte[1 << 20])));
        assertEquals(1, closer.pieces.get());
    }

    @Test
    void shouldStopWhenAHandlerClosesAConnection() throws Exception {
        for (ChannelFactory servers :
                List.of(new NioServerSocketChannelFactory(), new OioServerSocketChannelFactory())) {
            Closer closer = new Closer();
            try (Rig rig = new Rig(servers, new NioClientSocketChannelFactory())) {
                rig.server().setPipelineFactory(() -> Channels.pipeline(new ZlibDecoder(), closer));
                Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                    peer.send(deflated(ZlibWrapper.ZLIB, new byte[1 << 20])).awaitEnd();
                }
                Await.success(server.close(), "the server's close");
            }
            assertEquals(1, closer.pieces.get(), servers.getClass().getSimpleName());
        }
    }
}
