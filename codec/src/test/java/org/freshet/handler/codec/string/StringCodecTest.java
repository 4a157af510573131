package org.freshet.handler.codec.string;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class StringCodecTest {
    private static final List<Charset> CHARSETS = List.of(
            US_ASCII, ISO_8859_1, UTF_8, UTF_16, UTF_16LE, Charset.forName("Shift_JIS"), Charset.forName("GB18030"));

    private final Random random = Seeds.random();

    private static String decode(Charset charset, ChannelBuffer bytes) {
        DecoderEmbedder<String> decoder = new DecoderEmbedder<>(new StringDecoder(charset));
        decoder.offer(bytes);
        return decoder.poll();
    }

    private static ChannelBuffer encode(Charset charset, String text) {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new StringEncoder(charset));
        encoder.offer(text);
        return encoder.poll();
    }

    /** Every kind of buffer that may arrive from below. */
    private static List<ChannelBuffer> kinds(byte[] bytes) {
        ChannelBuffer direct = ChannelBuffers.directBuffer(Math.max(1, bytes.length));
        direct.writeBytes(bytes);
        ChannelBuffer dynamic = ChannelBuffers.dynamicBuffer();
        dynamic.writeZero(3);
        dynamic.writeBytes(bytes);
        dynamic.skipBytes(3);
        int half = bytes.length / 2;
        return List.of(
                ChannelBuffers.wrappedBuffer(bytes),
                direct,
                dynamic,
                dynamic.slice(),
                ChannelBuffers.unmodifiableBuffer(ChannelBuffers.wrappedBuffer(bytes)),
                ChannelBuffers.wrappedBuffer(
                        ChannelBuffers.copiedBuffer(bytes, 0, half),
                        ChannelBuffers.copiedBuffer(bytes, half, bytes.length - half)));
    }

    private String randomText() {
        StringBuilder text = new StringBuilder();
        int range = new int[] {0x80, 0x100, 0x800, 0x10000, Character.MAX_CODE_POINT + 1}[random.nextInt(5)];
        for (int i = random.nextInt(40); i > 0; i--) {
            int c = random.nextInt(range);
            text.appendCodePoint(c >= 0xD800 && c < 0xE000 ? 'x' : c);
        }
        return text.toString();
    }

    @Test
    void shouldEncodeAndDecodeLikeTheJdk() {
        for (int i = 0; i < 400; i++) {
            String text = randomText();
            for (Charset charset : CHARSETS) {
                byte[] expected = text.getBytes(charset);
                assertEquals(ChannelBuffers.wrappedBuffer(expected), encode(charset, text), charset.name());
                for (ChannelBuffer bytes : kinds(expected)) {
                    assertEquals(new String(expected, charset), decode(charset, bytes), charset.name());
                }
            }
        }
    }

    @Test
    void shouldEncodeAndDecodeLikeNetty3() {
        for (int i = 0; i < 400; i++) {
            String text = randomText();
            for (Charset charset : CHARSETS) {
                var encoder = new org.jboss.netty.handler.codec.embedder.EncoderEmbedder<
                        org.jboss.netty.buffer.ChannelBuffer>(
                        new org.jboss.netty.handler.codec.string.StringEncoder(charset));
                encoder.offer(text);
                org.jboss.netty.buffer.ChannelBuffer theirs = encoder.poll();
                ChannelBuffer ours = encode(charset, text);
                assertEquals(
                        org.jboss.netty.buffer.ChannelBuffers.hexDump(theirs),
                        ChannelBuffers.hexDump(ours),
                        charset.name());
                var decoder = new org.jboss.netty.handler.codec.embedder.DecoderEmbedder<String>(
                        new org.jboss.netty.handler.codec.string.StringDecoder(charset));
                decoder.offer(theirs);
                assertEquals(decoder.poll(), decode(charset, ours), charset.name());
            }
        }
    }

    @Test
    void shouldReplaceMalformedInputLikeTheJdk() {
        for (int i = 0; i < 1000; i++) {
            byte[] noise = new byte[random.nextInt(20)];
            random.nextBytes(noise);
            for (Charset charset : CHARSETS) {
                for (ChannelBuffer bytes : kinds(noise)) {
                    assertEquals(new String(noise, charset), decode(charset, bytes), charset.name());
                }
            }
        }
        assertEquals("a\ufffdb", decode(UTF_8, ChannelBuffers.wrappedBuffer(new byte[] {'a', (byte) 0x80, 'b'})));
        assertEquals("a?b", encode(US_ASCII, "a\u20acb").toString(US_ASCII));
        assertEquals("a?b", encode(UTF_8, "a\ud800b").toString(US_ASCII), "an unpaired surrogate");
    }

    /** Surrogates alone, in the wrong order and at the end, with lengths around the size of the fast path. */
    @Test
    void shouldEncodeAnyCharactersToUtf8AsTheJdkDoes() {
        char[] kinds = {
            'a', '\u007f', '\u0080', '\u07ff', '\u0800', '\ud7ff', '\ud83d', '\udbff', '\udc00', '\ude00', '\uffff'
        };
        for (int i = 0; i < 50_000; i++) {
            StringBuilder text = new StringBuilder("x".repeat(random.nextInt(4) == 0 ? random.nextInt(12) : 0));
            for (int length = random.nextInt(14); length > 0; length--) {
                text.append(kinds[random.nextInt(kinds.length)]);
            }
            assertEquals(
                    ChannelBuffers.wrappedBuffer(text.toString().getBytes(UTF_8)),
                    ChannelBuffers.wrappedBuffer(Utf8.encode(text.toString())),
                    () -> text.chars().mapToObj(Integer::toHexString).toList().toString());
        }
    }

    @Test
    void shouldDecodeLinesTheSameHoweverTheyAreSplit() {
        DecoderSplitChecker.ofPipeline(
                        () -> new ChannelUpstreamHandler[] {new LineBasedFrameDecoder(80), new StringDecoder(UTF_8)})
                .check("one\n\u00e4\u00f6\n\u20ac \ud83d\ude00\r\n\nrest".getBytes(UTF_8));
    }

    @Test
    void shouldPassOtherMessagesAndEmptyText() {
        DecoderEmbedder<Object> decoder = new DecoderEmbedder<>(new StringDecoder());
        decoder.offer(7);
        assertEquals(7, decoder.poll());
        decoder.offer(ChannelBuffers.EMPTY_BUFFER);
        assertEquals("", decoder.poll());
        EncoderEmbedder<Object> encoder = new EncoderEmbedder<>(new StringEncoder());
        encoder.offer(7);
        assertEquals(7, encoder.poll());
        encoder.offer("");
        assertEquals(ChannelBuffers.EMPTY_BUFFER, encoder.poll());
    }

    @Test
    void shouldNotChangeTheReceivedBuffer() {
        ChannelBuffer bytes = ChannelBuffers.copiedBuffer("text", US_ASCII);
        decode(US_ASCII, bytes);
        assertEquals(4, bytes.readableBytes());
    }

    @Test
    void shouldCreateBuffersInTheByteOrderOfTheChannel() {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(
                HeapChannelBufferFactory.getInstance(ByteOrder.LITTLE_ENDIAN), new StringEncoder(US_ASCII));
        encoder.offer("text");
        assertSame(ByteOrder.LITTLE_ENDIAN, encoder.poll().order());
    }

    @Test
    void shouldServeManyThreadsConcurrently() throws InterruptedException {
        StringDecoder shared = new StringDecoder(UTF_8);
        List<String> wrong = java.util.Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String text = "\u20ac".repeat(50 + i);
            Thread thread = new Thread(() -> {
                DecoderEmbedder<String> decoder = new DecoderEmbedder<>(shared);
                for (int round = 0; round < 2000; round++) {
                    decoder.offer(ChannelBuffers.copiedBuffer(text, UTF_8));
                    String decoded = decoder.poll();
                    if (!text.equals(decoded)) {
                        wrong.add(decoded);
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertTrue(wrong.isEmpty(), wrong::toString);
    }

    @Test
    void shouldRefuseNull() {
        assertThrows(NullPointerException.class, () -> new StringDecoder(null));
        assertThrows(NullPointerException.class, () -> new StringEncoder(null));
    }
}
