package org.freshet.handler.codec.protobuf;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.ListValue;
import com.google.protobuf.StringValue;
import com.google.protobuf.Value;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.handler.codec.Netty3;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class ProtobufTest {
    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, ISO_8859_1);
    }

    private static Throwable failure(DecoderEmbedder<?> embedder, String input) {
        return assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes(input)))
                .getCause();
    }

    @Test
    void shouldReadAndWriteProtobufsOwnDelimitedFormat() throws Exception {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        EncoderEmbedder<ChannelBuffer> encoder =
                new EncoderEmbedder<>(new ProtobufVarint32LengthFieldPrepender(), new ProtobufEncoder());
        DecoderEmbedder<StringValue> decoder = new DecoderEmbedder<>(
                new ProtobufVarint32FrameDecoder(), new ProtobufDecoder(StringValue.getDefaultInstance()));
        for (int length : new int[] {0, 1, 100, 125, 126, 600, 20_000}) {
            StringValue message = StringValue.of("x".repeat(length));
            message.writeDelimitedTo(expected);
            encoder.offer(message);
            encoder.offer(message.toBuilder());
            message.writeDelimitedTo(expected);
        }
        ChannelBuffer written = ChannelBuffers.dynamicBuffer();
        while (encoder.size() > 0) {
            written.writeBytes(encoder.poll());
        }
        assertEquals(ChannelBuffers.wrappedBuffer(expected.toByteArray()), written);
        decoder.offer(written);
        assertEquals(14, decoder.size());
        assertEquals(StringValue.of(""), decoder.poll());
        Object[] rest = decoder.pollAll();
        assertEquals(StringValue.of("x".repeat(20_000)), rest[12]);
    }

    @Test
    void shouldDecodeFromAllKindsOfBuffers() {
        byte[] bytes = StringValue.of("hello").toByteArray();
        ChannelBuffer direct = ChannelBuffers.directBuffer(bytes.length);
        direct.writeBytes(bytes);
        ChannelBuffer composite = ChannelBuffers.wrappedBuffer(
                ChannelBuffers.wrappedBuffer(bytes, 0, 3), ChannelBuffers.wrappedBuffer(bytes, 3, bytes.length - 3));
        DecoderEmbedder<Object> decoder =
                new DecoderEmbedder<>(new ProtobufDecoder(StringValue.getDefaultInstance(), null));
        for (ChannelBuffer buffer : List.of(ChannelBuffers.wrappedBuffer(bytes), direct, composite)) {
            decoder.offer(buffer);
            assertEquals(StringValue.of("hello"), decoder.poll());
        }
        decoder.offer("other");
        assertSame("other", decoder.poll());
    }

    @Test
    void shouldDecodeFramesTheSameHoweverTheyAreSplit() {
        DecoderSplitChecker.of(() -> new ProtobufVarint32FrameDecoder(130))
                .check(("\5hello\0\3bye\u0083\0abc\u0081\1" + "y".repeat(129) + "\u0083\1" + "z".repeat(131)
                                + "\1a\7rest")
                        .getBytes(ISO_8859_1));
        DecoderSplitChecker.of(ProtobufVarint32FrameDecoder::new)
                .check("\2ok\u0080\u0080\u0080\u0080\u0080\1\2ok".getBytes(ISO_8859_1));
    }

    @Test
    void shouldSkipTooLongFramesAndGoOn() {
        DecoderEmbedder<ChannelBuffer> decoder = new DecoderEmbedder<>(new ProtobufVarint32FrameDecoder(3));
        Throwable e = failure(decoder, "\3abc\4abcd\1e");
        assertEquals(TooLongFrameException.class, e.getClass());
        assertEquals("frame length > 3: 4", e.getMessage());
        assertEquals("abc", decoder.poll().toString(ISO_8859_1));
        assertEquals("e", decoder.poll().toString(ISO_8859_1));
    }

    @Test
    void shouldLimitFramesByDefault() {
        DecoderEmbedder<ChannelBuffer> decoder = new DecoderEmbedder<>(new ProtobufVarint32FrameDecoder());
        Throwable e = failure(decoder, "\u00ff\u00ff\u00ff\u00ff\7");
        assertEquals(TooLongFrameException.class, e.getClass());
        assertEquals("frame length > 67108864: 2147483647", e.getMessage());
    }

    @Test
    void shouldAbandonAStreamWithAnInvalidLength() {
        for (String bad : List.of(
                "\u0080\u0080\u0080\u0080\u0080", "\u00ff\u00ff\u00ff\u00ff\u000f", "\u00ff\u00ff\u00ff\u00ff\u007f")) {
            DecoderEmbedder<ChannelBuffer> decoder = new DecoderEmbedder<>(new ProtobufVarint32FrameDecoder());
            assertEquals(
                    CorruptedFrameException.class,
                    failure(decoder, bad + "\2ok").getClass());
            decoder.offer(bytes("\2ok"));
            assertEquals(0, decoder.size());
            assertEquals(0, decoder.undecodedBytes(), "nothing is kept of such a stream");
        }
    }

    @Test
    void shouldThrowOnlyTheDocumentedExceptionForDamagedMessages() {
        Random random = Seeds.random();
        Value.Builder text = Value.newBuilder().setStringValue("hello");
        byte[] good = ListValue.newBuilder()
                .addValues(text)
                .addValues(
                        Value.newBuilder().setListValue(ListValue.newBuilder().addValues(text)))
                .build()
                .toByteArray();
        DecoderEmbedder<Object> decoder = new DecoderEmbedder<>(new ProtobufDecoder(ListValue.getDefaultInstance()));
        for (int i = 0; i < 5000; i++) {
            byte[] bad = java.util.Arrays.copyOf(good, random.nextInt(good.length + 1));
            if (bad.length > 0) {
                bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                decoder.offer(ChannelBuffers.wrappedBuffer(bad));
                assertTrue(decoder.poll() instanceof ListValue || bad.length == 0);
            } catch (CodecEmbedderException e) {
                assertTrue(e.getCause() instanceof InvalidProtocolBufferException, () -> "threw " + e.getCause());
            }
        }
    }

    @Test
    void shouldCutFramesAndDecodeMessagesAsNetty3Does() {
        Random random = Seeds.random();
        for (int i = 0; i < 1000; i++) {
            ChannelBuffer stream = ChannelBuffers.dynamicBuffer();
            for (int messages = random.nextInt(6); messages >= 0; messages--) {
                byte[] message = StringValue.of("x".repeat(random.nextInt(200))).toByteArray();
                for (int rest = message.length; ; rest >>>= 7) {
                    stream.writeByte(rest < 0x80 ? rest : rest | 0x80);
                    if (rest < 0x80) {
                        break;
                    }
                }
                stream.writeBytes(message);
            }
            byte[] input =
                    new byte[random.nextBoolean() ? stream.readableBytes() : random.nextInt(stream.readableBytes())];
            stream.readBytes(input);
            int[] cuts = Netty3.randomCuts(random, input.length, random.nextInt(8));
            assertEquals(
                    Netty3.theirs(
                            new org.jboss.netty.handler.codec.protobuf.ProtobufVarint32FrameDecoder(), input, cuts),
                    Netty3.ours(new ProtobufVarint32FrameDecoder(), input, cuts));
            byte[] message = StringValue.of("x".repeat(i)).toByteArray();
            assertEquals(
                    Netty3.theirs(
                            new org.jboss.netty.handler.codec.protobuf.ProtobufDecoder(
                                    StringValue.getDefaultInstance()),
                            message),
                    Netty3.ours(new ProtobufDecoder(StringValue.getDefaultInstance()), message));
        }
    }

    @Test
    void shouldDecodeMessagesTheSameHoweverTheyAreSplit() {
        EncoderEmbedder<ChannelBuffer> encoder =
                new EncoderEmbedder<>(new ProtobufVarint32LengthFieldPrepender(), new ProtobufEncoder());
        ChannelBuffer stream = ChannelBuffers.dynamicBuffer();
        for (String text : List.of("", "a", "x".repeat(20))) {
            encoder.offer(StringValue.of(text));
            stream.writeBytes(encoder.poll());
        }
        stream.writeBytes(bytes("\2\u00ff\u00ff\4more")); // an empty message, and part of another
        byte[] input = new byte[stream.readableBytes()];
        stream.readBytes(input);
        DecoderSplitChecker.ofPipeline(() -> new ChannelUpstreamHandler[] {
                    new ProtobufVarint32FrameDecoder(), new ProtobufDecoder(StringValue.getDefaultInstance())
                })
                .check(input);
    }

    @Test
    void shouldRefuseBadArguments() {
        assertThrows(NullPointerException.class, () -> new ProtobufDecoder(null));
        assertThrows(IllegalArgumentException.class, () -> new ProtobufVarint32FrameDecoder(-1));
    }
}
