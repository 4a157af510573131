package org.freshet.handler.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.compression.CompressionException;
import org.freshet.handler.codec.compression.ZlibDecoder;
import org.freshet.handler.codec.compression.ZlibWrapper;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.freshet.handler.codec.frame.Delimiters;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.handler.codec.frame.LengthFieldBasedFrameDecoder;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.handler.codec.marshalling.CompatibleMarshallingDecoder;
import org.freshet.handler.codec.marshalling.DefaultUnmarshallerProvider;
import org.freshet.handler.codec.marshalling.MarshallingDecoder;
import org.freshet.handler.codec.marshalling.UnmarshallerProvider;
import org.freshet.handler.codec.protobuf.ProtobufVarint32FrameDecoder;
import org.freshet.handler.codec.replay.ReplayingDecoder;
import org.freshet.handler.codec.replay.VoidEnum;
import org.freshet.handler.codec.serialization.ClassResolvers;
import org.freshet.handler.codec.serialization.ObjectDecoder;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.jboss.marshalling.Marshalling;
import org.jboss.marshalling.MarshallingConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends a good frame and then twenty bad ones to a handler that closes the channel at the first failure. The handler
 * must see only that failure, with no other from the bytes after it or on closing.
 */
class CloseOnBadInputTest {
    private static final int BAD_FRAMES = 20;

    /** A decoder and its input. */
    private record Case(
            String name, Supplier<ChannelUpstreamHandler> decoder, String good, String bad, Class<?> failure) {
        byte[] input() {
            return (good + bad.repeat(BAD_FRAMES)).getBytes(ISO_8859_1);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** A digit fails after it was read, a letter before; everything else is a frame. */
    private static final class Choosy extends FrameDecoder {
        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
            return chosen(buffer);
        }
    }

    private static final class ReplayingChoosy extends ReplayingDecoder<VoidEnum> {
        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state)
                throws Exception {
            return chosen(buffer);
        }
    }

    private static Object chosen(ChannelBuffer buffer) throws CorruptedFrameException {
        char c = (char) buffer.getByte(buffer.readerIndex());
        if (Character.isLetter(c)) {
            throw new CorruptedFrameException("not read: " + c);
        }
        buffer.skipBytes(1);
        if (Character.isDigit(c)) {
            throw new CorruptedFrameException("read: " + c);
        }
        return c;
    }

    private static UnmarshallerProvider unmarshallers() {
        return new DefaultUnmarshallerProvider(
                Marshalling.getProvidedMarshallerFactory("river"), new MarshallingConfiguration());
    }

    private static Stream<Case> cases() {
        Class<?> tooLong = TooLongFrameException.class;
        Class<?> corrupt = CorruptedFrameException.class;
        return Stream.of(
                new Case("frame, read", Choosy::new, ".", "1", corrupt),
                new Case("frame, not read", Choosy::new, ".", "a", corrupt),
                new Case("replaying, read", ReplayingChoosy::new, ".", "1", corrupt),
                new Case("replaying, not read", ReplayingChoosy::new, ".", "a", corrupt),
                new Case("length, late", () -> length(false), "\2ok", "\6sixsix", tooLong),
                new Case("length, fast", () -> length(true), "\2ok", "\6sixsix", tooLong),
                new Case(
                        "length, negative",
                        () -> new LengthFieldBasedFrameDecoder(99, 0, 8),
                        "\0\0\0\0\0\0\0\1x",
                        "\u00ff".repeat(8),
                        corrupt),
                new Case("line, late", () -> new LineBasedFrameDecoder(3), "ok\n", "sixsix\n", tooLong),
                new Case("line, fast", () -> new LineBasedFrameDecoder(3, true, true), "ok\n", "sixsix\n", tooLong),
                new Case("delimiter, late", () -> delimiter(false), "ok\0", "sixsix\0", tooLong),
                new Case("delimiter, fast", () -> delimiter(true), "ok\0", "sixsix\0", tooLong),
                new Case(
                        "object",
                        () -> new ObjectDecoder(ClassResolvers.cacheDisabled(null)),
                        "\0\0\0\5\5t\0\1x",
                        "\0\0\0\3bad",
                        java.io.StreamCorruptedException.class),
                new Case(
                        "marshalling",
                        () -> new MarshallingDecoder(unmarshallers()),
                        "\0\0\0\4\4>\1x",
                        "\0\0\0\3bad",
                        java.io.IOException.class),
                new Case(
                        "marshalling without lengths",
                        () -> new CompatibleMarshallingDecoder(unmarshallers(), 99),
                        "\4>\1x",
                        "\u00ff",
                        java.io.IOException.class),
                new Case("protobuf, too long", () -> new ProtobufVarint32FrameDecoder(3), "\2ok", "\6sixsix", tooLong),
                new Case(
                        "protobuf, corrupt",
                        () -> new ProtobufVarint32FrameDecoder(3),
                        "\2ok",
                        "\u00ff\u00ff\u00ff\u00ff\u00ff",
                        corrupt),
                new Case(
                        "zlib",
                        () -> new ZlibDecoder(ZlibWrapper.NONE),
                        "\0\1\0\u00fe\u00ffk",
                        "\u00ff",
                        CompressionException.class));
    }

    private static FrameDecoder length(boolean failFast) {
        return new LengthFieldBasedFrameDecoder(4, 0, 1, 0, 1, failFast);
    }

    private static FrameDecoder delimiter(boolean failFast) {
        return new DelimiterBasedFrameDecoder(3, true, failFast, Delimiters.nulDelimiter());
    }

    /** Records messages and failures, and closes at the first failure. */
    private static final class Closer extends SimpleChannelUpstreamHandler {
        final List<Object> frames = new CopyOnWriteArrayList<>();
        final List<Throwable> failures = new CopyOnWriteArrayList<>();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            frames.add(e.getMessage());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            failures.add(e.getCause());
            e.getChannel().close();
        }

        void assertOneFrameAndOneFailure(Case expected) {
            assertEquals(1, failures.size(), () -> "failures: " + failures);
            assertInstanceOf(expected.failure, failures.get(0));
            assertEquals(1, frames.size(), () -> "frames: " + frames);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldFailOnceInOneRead(Case bad) {
        Closer closer = new Closer();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(bad.decoder.get(), closer);
        embedder.offer(ChannelBuffers.wrappedBuffer(bad.input()));
        embedder.finish();
        closer.assertOneFrameAndOneFailure(bad);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldFailOnceByteByByte(Case bad) {
        Closer closer = new Closer();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(bad.decoder.get(), closer);
        for (byte b : bad.input()) {
            if (embedder.getPipeline().getChannel().isOpen()) {
                embedder.offer(ChannelBuffers.wrappedBuffer(new byte[] {b}));
            }
        }
        embedder.finish();
        closer.assertOneFrameAndOneFailure(bad);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldFailOnceOverASocket(Case bad) throws Exception {
        Closer closer = new Closer();
        ChannelFactory serverSide = new NioServerSocketChannelFactory();
        try (Rig rig = new Rig(serverSide, new NioClientSocketChannelFactory())) {
            rig.server().setPipelineFactory(() -> Channels.pipeline(bad.decoder.get(), closer));
            Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send(bad.input()).awaitEnd();
            }
            Await.success(server.close(), "the server's close");
        }
        closer.assertOneFrameAndOneFailure(bad);
    }
}
