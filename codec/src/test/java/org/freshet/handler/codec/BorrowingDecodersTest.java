package org.freshet.handler.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.base64.Base64;
import org.freshet.handler.codec.base64.Base64Decoder;
import org.freshet.handler.codec.compression.ZlibDecoder;
import org.freshet.handler.codec.compression.ZlibStreams;
import org.freshet.handler.codec.compression.ZlibWrapper;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.freshet.handler.codec.frame.FixedLengthFrameDecoder;
import org.freshet.handler.codec.frame.LengthFieldBasedFrameDecoder;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpRequestDecoder;
import org.freshet.handler.codec.http.HttpResponseDecoder;
import org.freshet.handler.codec.http.websocketx.BinaryWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import org.freshet.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import org.freshet.handler.codec.http.websocketx.WebSocketFrame;
import org.freshet.handler.codec.marshalling.CompatibleMarshallingDecoder;
import org.freshet.handler.codec.marshalling.CompatibleMarshallingEncoder;
import org.freshet.handler.codec.marshalling.DefaultMarshallerProvider;
import org.freshet.handler.codec.marshalling.DefaultUnmarshallerProvider;
import org.freshet.handler.codec.marshalling.MarshallerProvider;
import org.freshet.handler.codec.marshalling.MarshallingDecoder;
import org.freshet.handler.codec.marshalling.MarshallingEncoder;
import org.freshet.handler.codec.marshalling.UnmarshallerProvider;
import org.freshet.handler.codec.protobuf.ProtobufVarint32FrameDecoder;
import org.freshet.handler.codec.serialization.ClassResolvers;
import org.freshet.handler.codec.serialization.ObjectDecoder;
import org.freshet.handler.codec.serialization.ObjectEncoder;
import org.freshet.handler.codec.spdy.DefaultSpdySynStreamFrame;
import org.freshet.handler.codec.spdy.SpdyDataFrame;
import org.freshet.handler.codec.spdy.SpdyFrameCodec;
import org.freshet.handler.codec.spdy.SpdyHeadersFrame;
import org.freshet.handler.codec.spdy.SpdySynStreamFrame;
import org.freshet.handler.codec.spdy.SpdyVersion;
import org.freshet.handler.codec.stomp.StompChunk;
import org.freshet.handler.codec.stomp.StompFrame;
import org.freshet.handler.codec.stomp.StompFrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.testing.LendingMemory;
import org.freshet.testing.Seeds;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.Marshalling;
import org.jboss.marshalling.MarshallingConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages decoded from lent reads may be kept by handlers. The test keeps all messages of a connection until thousands
 * of later reads have overwritten the memory, and checks that they still hold what was sent.
 */
class BorrowingDecodersTest {
    private static final int READS = 10_000;
    private static final int MAX_READ_BYTES = 1000;

    /**
     * HTTP copies reads up to this size, so that the heads in them share the copy; the HTTP test has larger ones, too.
     */
    private static final int HTTP_COPIED_BYTES = 8192;

    /** The payloads, which are sent repeatedly. */
    private static final int PAYLOADS = 20;

    private static final int MAX_PAYLOAD_BYTES = 5000;

    private static final MarshallerFactory RIVER = Marshalling.getProvidedMarshallerFactory("river");
    private static final MarshallerProvider MARSHALLERS =
            new DefaultMarshallerProvider(RIVER, new MarshallingConfiguration());
    private static final UnmarshallerProvider UNMARSHALLERS =
            new DefaultUnmarshallerProvider(RIVER, new MarshallingConfiguration());

    private final Random random = Seeds.random();
    private final LendingMemory memory = new LendingMemory(2 * HTTP_COPIED_BYTES);

    /**
     * @param encoder encodes a payload to the bytes on the wire
     * @param payload extracts the part of a payload that a message holds
     */
    private record Protocol(
            String name,
            int maxPayloadBytes,
            Supplier<ChannelUpstreamHandler> decoder,
            Function<byte[], ChannelBuffer> encoder,
            Function<Object, byte[]> payload) {
        boolean isText() {
            return maxPayloadBytes < MAX_PAYLOAD_BYTES;
        }

        boolean isHttp() {
            return name.startsWith("HTTP");
        }

        int maxReadBytes() {
            return isHttp() ? 2 * HTTP_COPIED_BYTES : MAX_READ_BYTES;
        }

        int reads() {
            return isHttp() ? READS / 10 : READS;
        }

        boolean borrows(int readBytes) {
            return !isHttp() || readBytes > HTTP_COPIED_BYTES;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static byte[] bytesOf(Object buffer) {
        ChannelBuffer readable = (ChannelBuffer) buffer;
        byte[] bytes = new byte[readable.readableBytes()];
        readable.getBytes(readable.readerIndex(), bytes);
        return bytes;
    }

    private static byte[] hex(byte[] bytes) {
        return ChannelBuffers.hexDump(wrappedBuffer(bytes)).getBytes(US_ASCII);
    }

    private static ChannelBuffer joined(String before, byte[] bytes, String after) {
        return wrappedBuffer(before.getBytes(US_ASCII), bytes, after.getBytes(US_ASCII));
    }

    private static ChannelBuffer varint(byte[] bytes) {
        ChannelBuffer frame = ChannelBuffers.dynamicBuffer();
        int rest = bytes.length;
        while (rest > 0x7F) {
            frame.writeByte(rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        frame.writeByte(rest);
        frame.writeBytes(bytes);
        return frame;
    }

    private static ChannelBuffer masked(byte[] bytes) {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new WebSocket13FrameEncoder(true));
        encoder.offer(new BinaryWebSocketFrame(wrappedBuffer(bytes)));
        return wrappedBuffer(encoder.pollAll(new ChannelBuffer[0]));
    }

    private static ChannelBuffer serialized(byte[] bytes) {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new ObjectEncoder());
        encoder.offer(bytes);
        return encoder.poll();
    }

    private static ChannelBuffer compressed(byte[] bytes) {
        return wrappedBuffer(ZlibStreams.gzipped(bytes));
    }

    private static ChannelBuffer spdyData(byte[] bytes) {
        byte[] head = {0, 0, 0, 1, 0, 0, (byte) (bytes.length >> 8), (byte) bytes.length};
        return wrappedBuffer(head, bytes);
    }

    private static ChannelBuffer marshalled(ChannelDownstreamHandler encoder, Object object) {
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(encoder);
        embedder.offer(object);
        return embedder.poll();
    }

    private static byte[] contentOfHttp(Object message) {
        return bytesOf(message instanceof HttpChunk chunk ? chunk.getContent() : ((HttpMessage) message).getContent());
    }

    private static byte[] contentOfStomp(Object message) {
        return bytesOf(message instanceof StompChunk chunk ? chunk.content() : ((StompFrame) message).content());
    }

    static Stream<Protocol> protocols() {
        return Stream.of(
                new Protocol(
                        "length field, stripped",
                        MAX_PAYLOAD_BYTES,
                        () -> new LengthFieldBasedFrameDecoder(MAX_PAYLOAD_BYTES + 4, 0, 4, 0, 4),
                        bytes -> wrappedBuffer(
                                ChannelBuffers.wrappedBuffer(
                                        new byte[] {0, 0, (byte) (bytes.length >> 8), (byte) bytes.length}),
                                wrappedBuffer(bytes)),
                        BorrowingDecodersTest::bytesOf),
                new Protocol(
                        "fixed length",
                        MAX_PAYLOAD_BYTES,
                        () -> new FixedLengthFrameDecoder(1777),
                        ChannelBuffers::wrappedBuffer,
                        BorrowingDecodersTest::bytesOf),
                new Protocol(
                        "lines",
                        MAX_PAYLOAD_BYTES / 2,
                        () -> new LineBasedFrameDecoder(MAX_PAYLOAD_BYTES),
                        bytes -> joined("", hex(bytes), "\r\n"),
                        BorrowingDecodersTest::bytesOf),
                new Protocol(
                        "delimiters",
                        MAX_PAYLOAD_BYTES / 2,
                        () -> new DelimiterBasedFrameDecoder(MAX_PAYLOAD_BYTES, wrappedBuffer(new byte[] {'z', 'z'})),
                        bytes -> joined("", hex(bytes), "zz"),
                        BorrowingDecodersTest::bytesOf),
                new Protocol(
                        "varints",
                        MAX_PAYLOAD_BYTES,
                        ProtobufVarint32FrameDecoder::new,
                        BorrowingDecodersTest::varint,
                        BorrowingDecodersTest::bytesOf),
                new Protocol(
                        "objects",
                        MAX_PAYLOAD_BYTES,
                        () -> new ObjectDecoder(ClassResolvers.cacheDisabled(null)),
                        BorrowingDecodersTest::serialized,
                        object -> (byte[]) object),
                new Protocol(
                        "marshalled objects",
                        MAX_PAYLOAD_BYTES,
                        () -> new MarshallingDecoder(UNMARSHALLERS),
                        bytes -> marshalled(new MarshallingEncoder(MARSHALLERS), bytes),
                        object -> (byte[]) object),
                new Protocol(
                        "gzip",
                        MAX_PAYLOAD_BYTES,
                        () -> new ZlibDecoder(ZlibWrapper.GZIP),
                        BorrowingDecodersTest::compressed,
                        BorrowingDecodersTest::bytesOf),
                new Protocol(
                        "SPDY",
                        MAX_PAYLOAD_BYTES,
                        () -> new SpdyFrameCodec(SpdyVersion.SPDY_3_1),
                        BorrowingDecodersTest::spdyData,
                        frame -> bytesOf(((SpdyDataFrame) frame).getData())),
                new Protocol(
                        "web sockets",
                        MAX_PAYLOAD_BYTES,
                        () -> new WebSocket13FrameDecoder(true, false),
                        BorrowingDecodersTest::masked,
                        frame -> bytesOf(((WebSocketFrame) frame).getBinaryData())),
                new Protocol(
                        "STOMP",
                        MAX_PAYLOAD_BYTES,
                        StompFrameDecoder::new,
                        bytes -> joined("SEND\ncontent-length:" + bytes.length + "\n\n", bytes, "\0"),
                        BorrowingDecodersTest::contentOfStomp),
                new Protocol(
                        "HTTP requests",
                        3 * MAX_PAYLOAD_BYTES,
                        HttpRequestDecoder::new,
                        bytes -> joined(
                                "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: " + bytes.length + "\r\n\r\n", bytes, ""),
                        BorrowingDecodersTest::contentOfHttp),
                new Protocol(
                        "HTTP responses in chunks",
                        3 * MAX_PAYLOAD_BYTES,
                        HttpResponseDecoder::new,
                        bytes -> joined(
                                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                        + Integer.toHexString(bytes.length) + "\r\n",
                                bytes,
                                "\r\n0\r\n\r\n"),
                        BorrowingDecodersTest::contentOfHttp));
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void shouldDecodeMessagesThatStayValid(Protocol protocol) {
        DecoderEmbedder<Object> embedder =
                new DecoderEmbedder<>(protocol.decoder().get());
        ByteArrayOutputStream payloads = new ByteArrayOutputStream();
        ChannelBuffer wire = ChannelBuffers.dynamicBuffer();
        for (int i = 0; i < PAYLOADS; i++) {
            wire.writeBytes(protocol.encoder().apply(nextPayload(protocol, payloads)));
        }
        List<Object> kept = new ArrayList<>();
        ChannelBuffer rest = wire.duplicate();
        for (int i = 0; i < protocol.reads(); i++) {
            rest = rest.readable() ? rest : wire.duplicate();
            ChannelBuffer read =
                    rest.readSlice(Math.min(rest.readableBytes(), 1 + random.nextInt(protocol.maxReadBytes())));
            boolean borrows = protocol.borrows(read.readableBytes());
            assertEquals(borrows, memory.lend(embedder.getPipeline().getChannel(), read), "borrowed");
            kept.addAll(Arrays.asList(embedder.pollAll()));
        }
        assertRepeat(payloads.toByteArray(), kept, protocol);
    }

    private byte[] nextPayload(Protocol protocol, ByteArrayOutputStream payloads) {
        byte[] bytes = new byte[1 + random.nextInt(protocol.maxPayloadBytes())];
        random.nextBytes(bytes);
        payloads.writeBytes(protocol.isText() ? hex(bytes) : bytes);
        return bytes;
    }

    private static void assertRepeat(byte[] payloads, List<Object> kept, Protocol protocol) {
        int at = 0;
        for (Object message : kept) {
            byte[] bytes = protocol.payload().apply(message);
            int inFirstRound = Math.min(bytes.length, payloads.length - at);
            assertEquals(-1, Arrays.mismatch(bytes, 0, inFirstRound, payloads, at, at + inFirstRound));
            int inNextRound = bytes.length - inFirstRound;
            assertEquals(-1, Arrays.mismatch(bytes, inFirstRound, bytes.length, payloads, 0, inNextRound));
            at = (at + bytes.length) % payloads.length;
        }
        assertTrue(kept.size() >= PAYLOADS, "messages: " + kept.size());
    }

    @Test
    void shouldDecodeHeadersThatStayValid() {
        DecoderEmbedder<HttpMessage> embedder = new DecoderEmbedder<>(new HttpRequestDecoder());
        List<HttpMessage> kept = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            String head = "GET /" + i + " HTTP/1.1\r\nHost: host" + i + "\r\nX-Number: number " + i + "\r\n\r\n";
            memory.lend(embedder.getPipeline().getChannel(), ChannelBuffers.copiedBuffer(head, US_ASCII));
            kept.add(embedder.poll());
        }
        for (int i = 0; i < kept.size(); i++) {
            assertEquals("host" + i, kept.get(i).headers().get("host"));
            assertEquals("number " + i, kept.get(i).headers().get("x-number"));
        }
    }

    @Test
    void shouldDecodeStringsAndTextThatStayValid() {
        DecoderEmbedder<String> strings = new DecoderEmbedder<>(new StringDecoder(US_ASCII));
        DecoderEmbedder<ChannelBuffer> decoded = new DecoderEmbedder<>(new Base64Decoder());
        List<String> keptStrings = new ArrayList<>();
        List<ChannelBuffer> keptBytes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ChannelBuffer text = ChannelBuffers.copiedBuffer("text " + i, US_ASCII);
            assertTrue(memory.lend(strings.getPipeline().getChannel(), text.duplicate()));
            assertTrue(memory.lend(decoded.getPipeline().getChannel(), Base64.encode(text)));
            keptStrings.add(strings.poll());
            keptBytes.add(decoded.poll());
        }
        for (int i = 0; i < 100; i++) {
            assertEquals("text " + i, keptStrings.get(i));
            assertEquals("text " + i, keptBytes.get(i).toString(US_ASCII));
        }
    }

    @Test
    void shouldDecodeSpdyHeadersThatStayValid() {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
        DecoderEmbedder<SpdyHeadersFrame> decoder = new DecoderEmbedder<>(new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
        List<SpdyHeadersFrame> kept = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            SpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(2 * i + 1, 0, (byte) 0);
            frame.headers().add("x-number", "number " + i);
            encoder.offer(frame);
            ChannelBuffer wire = encoder.poll();
            int cut = 1 + random.nextInt(wire.readableBytes() - 1);
            assertTrue(memory.lend(decoder.getPipeline().getChannel(), wire.readSlice(cut)));
            assertTrue(memory.lend(decoder.getPipeline().getChannel(), wire));
            kept.add(decoder.poll());
        }
        for (int i = 0; i < kept.size(); i++) {
            assertEquals("number " + i, kept.get(i).headers().get("x-number"));
        }
        encoder.finish();
        decoder.finish();
    }

    @Test
    void shouldUnmarshalObjectsWithoutLengthsReceivedInTwoReads() {
        DecoderEmbedder<String> decoder =
                new DecoderEmbedder<>(new CompatibleMarshallingDecoder(UNMARSHALLERS, MAX_READ_BYTES));
        for (int i = 0; i < 100; i++) {
            ChannelBuffer wire = marshalled(new CompatibleMarshallingEncoder(MARSHALLERS), "object " + i);
            int cut = 1 + random.nextInt(wire.readableBytes() - 1);
            assertTrue(memory.lend(decoder.getPipeline().getChannel(), wire.readSlice(cut)));
            assertTrue(memory.lend(decoder.getPipeline().getChannel(), wire));
            assertEquals("object " + i, decoder.poll());
        }
    }

    // ---- bytes kept by a decoder ----------------------------------------------------------------------------------

    @Test
    void shouldHandOverACopyWhenRemovedInTheMiddleOfALentRead() {
        List<Object> kept = new ArrayList<>();
        SimpleChannelUpstreamHandler keeper = new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                kept.add(e.getMessage());
                if (kept.size() == 1) {
                    ctx.getPipeline().remove(FixedLengthFrameDecoder.class);
                }
            }
        };
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new FixedLengthFrameDecoder(5), keeper);
        memory.lend(embedder.getPipeline().getChannel(), ChannelBuffers.copiedBuffer("framerest", US_ASCII));
        assertEquals("frame", ((ChannelBuffer) kept.get(0)).toString(US_ASCII));
        assertEquals("rest", ((ChannelBuffer) kept.get(1)).toString(US_ASCII));
    }

    /** The inflater itself holds a reference to its input. */
    @Test
    void shouldInflateInputHeldBackWhileReadingWasSuspended() {
        StringBuilder digits = new StringBuilder();
        random.ints(200_000, 0, 4).forEach(digits::append);
        byte[] content = digits.toString().getBytes(US_ASCII);
        ChannelBuffer wire = wrappedBuffer(compressed(content), ChannelBuffers.copiedBuffer("rest", US_ASCII));
        SimpleChannelUpstreamHandler suspending = new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                ctx.getChannel().setReadable(false);
                ctx.sendUpstream(e);
            }
        };
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new ZlibDecoder(ZlibWrapper.GZIP), suspending);
        Channel channel = embedder.getPipeline().getChannel();
        LendingMemory large = new LendingMemory(wire.readableBytes());
        assertTrue(large.lend(channel, wire));
        List<ChannelBuffer> pieces = new ArrayList<>();
        for (ChannelBuffer piece = embedder.poll(); piece != null; piece = embedder.poll()) {
            pieces.add(piece);
            channel.setReadable(true);
        }
        assertTrue(pieces.size() > 3, "pieces: " + pieces.size());
        String all = wrappedBuffer(pieces.toArray(new ChannelBuffer[0])).toString(US_ASCII);
        assertEquals(digits + "rest", all);
    }

    @Test
    void shouldPassOnACopyOfBytesThatFollowAStream() {
        ChannelBuffer wire = wrappedBuffer(compressed(new byte[10]), ChannelBuffers.copiedBuffer("rest", US_ASCII));
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new ZlibDecoder(ZlibWrapper.GZIP));
        assertTrue(memory.lend(embedder.getPipeline().getChannel(), wire));
        assertEquals(10, embedder.poll().readableBytes());
        ChannelBuffer rest = embedder.poll();
        memory.lend(embedder.getPipeline().getChannel(), ChannelBuffers.copiedBuffer("more", US_ASCII));
        assertEquals("rest", rest.toString(US_ASCII));
        assertEquals("more", embedder.poll().toString(US_ASCII));
    }

    /** Slices the buffer. It may do so, because it is not marked. */
    private static final class Slicing extends LengthFieldBasedFrameDecoder {
        Slicing() {
            super(100, 0, 1, 0, 1);
        }

        @Override
        protected ChannelBuffer extractFrame(ChannelBuffer buffer, int index, int length) {
            return buffer.slice(index, length);
        }
    }

    /** Is marked but passes events on, so that the next handler gets a lent event. */
    @ChannelHandler.Borrower
    private static final class Passing extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ctx.sendUpstream(e);
        }
    }

    @Test
    void shouldNotBorrowOnBehalfOfASubclass() {
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new Passing(), new Slicing());
        ChannelBuffer frame = ChannelBuffers.copiedBuffer("\5frame", US_ASCII);
        assertFalse(memory.lend(embedder.getPipeline().getChannel(), frame));
        assertEquals("frame", embedder.poll().toString(US_ASCII));
    }
}
