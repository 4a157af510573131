package org.freshet.handler.codec.compression;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.compression.ZlibStreams.WRAPPERS;
import static org.freshet.handler.codec.compression.ZlibStreams.all;
import static org.freshet.handler.codec.compression.ZlibStreams.cuts;
import static org.freshet.handler.codec.compression.ZlibStreams.decorated;
import static org.freshet.handler.codec.compression.ZlibStreams.deflated;
import static org.freshet.handler.codec.compression.ZlibStreams.failure;
import static org.freshet.handler.codec.compression.ZlibStreams.inflate;
import static org.freshet.handler.codec.compression.ZlibStreams.join;
import static org.freshet.handler.codec.compression.ZlibStreams.randomContent;
import static org.freshet.handler.codec.compression.ZlibStreams.wrap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class ZlibTest {
    private final Random random = Seeds.random();

    // ---- against the JDK and Netty 3 ----

    @Test
    void shouldInflateWhatTheJdkDeflates() {
        for (int i = 0; i < 300; i++) {
            ZlibWrapper wrapper = WRAPPERS.get(random.nextInt(3));
            byte[] content = randomContent(random);
            byte[] deflated = deflated(wrapper, content);
            DecoderEmbedder<ChannelBuffer> decoder = new DecoderEmbedder<>(new ZlibDecoder(wrapper));
            int start = 0;
            for (int cut : cuts(random, deflated.length)) {
                decoder.offer(wrap(Arrays.copyOfRange(deflated, start, cut)));
                start = cut;
            }
            decoder.offer(wrap(Arrays.copyOfRange(deflated, start, deflated.length)));
            decoder.finish();
            assertTrue(Arrays.equals(content, all(decoder.pollAll())), wrapper + " " + content.length);
        }
    }

    /** Random encoder and decoder settings, with their description. */
    private final class Setting {
        final ZlibWrapper wrapper = WRAPPERS.get(random.nextInt(3));
        final int level = random.nextInt(10);
        final int windowBits = 9 + random.nextInt(7);
        final byte[] dictionary = new byte[1 + random.nextInt(2000)];
        final boolean withDictionary = wrapper == ZlibWrapper.ZLIB && random.nextBoolean();
        private final org.jboss.netty.handler.codec.compression.ZlibWrapper theirWrapper =
                org.jboss.netty.handler.codec.compression.ZlibWrapper.valueOf(wrapper.name());

        Setting() {
            random.nextBytes(dictionary);
        }

        ZlibEncoder ourEncoder() {
            return withDictionary
                    ? new ZlibEncoder(level, windowBits, 8, dictionary)
                    : new ZlibEncoder(wrapper, level, windowBits, 8);
        }

        ZlibDecoder ourDecoder() {
            return withDictionary ? new ZlibDecoder(dictionary) : new ZlibDecoder(wrapper);
        }

        org.jboss.netty.handler.codec.compression.ZlibEncoder theirEncoder() {
            return withDictionary
                    ? new org.jboss.netty.handler.codec.compression.ZlibEncoder(level, windowBits, 8, dictionary)
                    : new org.jboss.netty.handler.codec.compression.ZlibEncoder(theirWrapper, level, windowBits, 8);
        }

        org.jboss.netty.handler.codec.embedder.DecoderEmbedder<org.jboss.netty.buffer.ChannelBuffer> theirDecoder() {
            return new org.jboss.netty.handler.codec.embedder.DecoderEmbedder<>(
                    withDictionary
                            ? new org.jboss.netty.handler.codec.compression.ZlibDecoder(dictionary)
                            : new org.jboss.netty.handler.codec.compression.ZlibDecoder(theirWrapper));
        }

        @Override
        public String toString() {
            return wrapper + " level " + level + " window " + windowBits + " dictionary " + withDictionary;
        }
    }

    /** Files with expected bytes continue to match. */
    @Test
    void shouldBeginGzipAsNetty3Does() {
        EncoderEmbedder<ChannelBuffer> ours = new EncoderEmbedder<>(new ZlibEncoder(ZlibWrapper.GZIP));
        var theirs = new org.jboss.netty.handler.codec.embedder.EncoderEmbedder<org.jboss.netty.buffer.ChannelBuffer>(
                new org.jboss.netty.handler.codec.compression.JdkZlibEncoder(
                        org.jboss.netty.handler.codec.compression.ZlibWrapper.GZIP));
        byte[] content = "content".getBytes(US_ASCII);
        ours.offer(wrap(content));
        theirs.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(content));
        byte[] expected = Arrays.copyOf(allTheirs(theirs.pollAll()), 10);
        assertEquals(Arrays.toString(expected), Arrays.toString(Arrays.copyOf(all(ours.pollAll()), 10)));
    }

    @Test
    void shouldDeflateWhatNetty3Inflates() {
        for (int i = 0; i < 200; i++) {
            Setting setting = new Setting();
            EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(setting.ourEncoder());
            var decoder = setting.theirDecoder();
            for (int message = random.nextInt(4); message >= 0; message--) {
                byte[] content = join(setting.dictionary, randomContent(random), setting.dictionary);
                encoder.offer(wrap(content));
                decoder.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(all(encoder.pollAll())));
                assertTrue(Arrays.equals(content, allTheirs(decoder.pollAll())), setting::toString);
            }
            encoder.finish();
            decoder.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(all(encoder.pollAll())));
            assertFalse(decoder.finish(), setting::toString);
        }
    }

    /** Netty 3 loses output that is longer than it guessed, so only streams that it can read itself count. */
    @Test
    void shouldInflateStreamsOfNetty3() {
        int whole = 0;
        for (int i = 0; i < 200; i++) {
            Setting setting = new Setting();
            var encoder = new org.jboss.netty.handler.codec.embedder.EncoderEmbedder<
                    org.jboss.netty.buffer.ChannelBuffer>(setting.theirEncoder());
            ByteArrayOutputStream contents = new ByteArrayOutputStream();
            for (int message = random.nextInt(4); message >= 0; message--) {
                byte[] content = join(setting.dictionary, randomContent(random), setting.dictionary);
                contents.writeBytes(content);
                encoder.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(content));
            }
            encoder.finish();
            byte[] stream = allTheirs(encoder.pollAll());
            var theirDecoder = setting.theirDecoder();
            try {
                theirDecoder.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(stream));
            } catch (org.jboss.netty.handler.codec.embedder.CodecEmbedderException e) {
                continue;
            }
            if (Arrays.equals(contents.toByteArray(), allTheirs(theirDecoder.pollAll()))) {
                DecoderEmbedder<ChannelBuffer> decoder = new DecoderEmbedder<>(setting.ourDecoder());
                decoder.offer(wrap(stream));
                assertTrue(Arrays.equals(contents.toByteArray(), all(decoder.pollAll())), setting::toString);
                whole++;
            }
        }
        assertTrue(whole > 50, "whole streams: " + whole);
    }

    private static byte[] allTheirs(Object[] products) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Object product : products) {
            byte[] bytes = new byte[((org.jboss.netty.buffer.ChannelBuffer) product).readableBytes()];
            ((org.jboss.netty.buffer.ChannelBuffer) product).readBytes(bytes);
            out.writeBytes(bytes);
        }
        return out.toByteArray();
    }

    @Test
    void shouldWriteTheSameBytesAsNetty3ForSmallMessages() {
        String[] expected = {"789cca48cdc9c907000000ffff", "ca001100000000ffff", "030016bc0429"};
        for (DeflatingEncoder encoder : List.of(new ZlibEncoder(), new JdkZlibEncoder())) {
            EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(encoder);
            embedder.offer(wrap("hello".getBytes(US_ASCII)));
            embedder.offer(wrap("hello".getBytes(US_ASCII)));
            embedder.finish();
            for (String hex : expected) {
                assertEquals(hex, ChannelBuffers.hexDump(embedder.poll()));
            }
            assertTrue(encoder.isClosed());
        }
    }

    // ---- formats ----

    @Test
    void shouldInflateTheSameHoweverTheInputIsCut() {
        byte[] gzip = join(decorated("one one one"), decorated(""), deflated(ZlibWrapper.GZIP, "two"));
        DecoderSplitChecker.of(() -> new ZlibDecoder(ZlibWrapper.GZIP))
                .joiningBuffers()
                .check(gzip);
        assertEquals("one one onetwo", inflate(new ZlibDecoder(ZlibWrapper.GZIP), gzip));
        byte[] trailed = join(deflated(ZlibWrapper.GZIP, "two"), new byte[] {0x1F, 'x', 0x1F, (byte) 0x8B});
        DecoderSplitChecker.of(() -> new ZlibDecoder(ZlibWrapper.GZIP))
                .joiningBuffers()
                .check(trailed);
        assertEquals("two\u001fx\u001f\ufffd", inflate(new ZlibDecoder(ZlibWrapper.GZIP), trailed));
        byte[] held = join(deflated(ZlibWrapper.GZIP, "two"), new byte[] {0x1F});
        DecoderSplitChecker.of(() -> new ZlibDecoder(ZlibWrapper.GZIP))
                .joiningBuffers()
                .check(held);
        assertEquals("two\u001f", inflate(new ZlibDecoder(ZlibWrapper.GZIP), held));
        for (ZlibWrapper wrapper : List.of(ZlibWrapper.ZLIB, ZlibWrapper.NONE, ZlibWrapper.ZLIB_OR_NONE)) {
            byte[] input = join(
                    deflated(wrapper == ZlibWrapper.NONE ? wrapper : ZlibWrapper.ZLIB, "hello hello hello"),
                    "trail".getBytes(US_ASCII));
            DecoderSplitChecker.of(() -> new ZlibDecoder(wrapper))
                    .joiningBuffers()
                    .check(input);
            assertEquals("hello hello hellotrail", inflate(new ZlibDecoder(wrapper), input));
        }
        assertEquals("raw", inflate(new ZlibDecoder(ZlibWrapper.ZLIB_OR_NONE), deflated(ZlibWrapper.NONE, "raw")));
    }

    @Test
    void shouldReportWhetherTheStreamHasEnded() {
        byte[] gzip = deflated(ZlibWrapper.GZIP, "hello");
        ZlibDecoder decoder = new ZlibDecoder(ZlibWrapper.GZIP);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder);
        assertFalse(decoder.isClosed());
        embedder.offer(wrap(gzip));
        assertTrue(decoder.isClosed());
        embedder.offer(wrap(Arrays.copyOf(gzip, 5)));
        assertFalse(decoder.isClosed(), "in another member");
        embedder.offer(wrap(Arrays.copyOfRange(gzip, 5, gzip.length)));
        assertTrue(decoder.isClosed());
        embedder.finish();
        assertTrue(decoder.isClosed());
        ZlibDecoder zlib = new ZlibDecoder();
        DecoderEmbedder<Object> other = new DecoderEmbedder<>(zlib);
        other.offer(wrap(deflated(ZlibWrapper.ZLIB, "x")));
        assertTrue(zlib.isClosed());
        other.poll();
        ChannelBuffer behind = wrap("behind".getBytes(US_ASCII));
        other.offer(behind);
        assertEquals(behind, other.poll());
        other.offer("text");
        assertEquals("text", other.poll());
    }

    @Test
    void shouldReportWhatIsWrongWithADictionary() {
        byte[] dictionary = "hello world dictionary".getBytes(US_ASCII);
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new JdkZlibEncoder(dictionary));
        encoder.offer(wrap("hello world".getBytes(US_ASCII)));
        encoder.finish();
        byte[] stream = all(encoder.pollAll());
        assertEquals("hello world", inflate(new ZlibDecoder(dictionary), stream));
        assertTrue(failure(new ZlibDecoder(), stream).getMessage().contains("needs a dictionary"));
        assertTrue(failure(new ZlibDecoder("other".getBytes(US_ASCII)), stream)
                .getMessage()
                .contains("different dictionary"));
        DecoderSplitChecker.of(() -> new ZlibDecoder(dictionary))
                .joiningBuffers()
                .check(stream);
    }

    @Test
    void shouldRefuseBadGzipHeadersAndTrailers() {
        byte[] good = decorated("hello");
        assertEquals("hello", inflate(new ZlibDecoder(ZlibWrapper.GZIP), good));
        record Damage(int at, String message) {}
        for (Damage damage : List.of(
                new Damage(0, "first byte"),
                new Damage(1, "second byte"),
                new Damage(2, "method"),
                new Damage(3, "reserved"),
                new Damage(13, "header checksum"),
                new Damage(good.length - 8, "gzip checksum"),
                new Damage(good.length - 1, "gzip length"))) {
            byte[] bad = good.clone();
            bad[damage.at] ^= (byte) 0x80;
            CompressionException e = failure(new ZlibDecoder(ZlibWrapper.GZIP), bad);
            assertTrue(e.getMessage().contains(damage.message), e.getMessage());
            DecoderSplitChecker.of(() -> new ZlibDecoder(ZlibWrapper.GZIP))
                    .joiningBuffers()
                    .check(bad);
        }
        byte[] endless = join(new byte[] {0x1F, (byte) 0x8B, 8, 8, 0, 0, 0, 0, 0, 0}, new byte[200_000]);
        Arrays.fill(endless, 10, endless.length, (byte) 'x');
        assertTrue(
                failure(new ZlibDecoder(ZlibWrapper.GZIP), endless).getMessage().contains("gzip header > "));
        byte[] longest = new byte[65_535];
        byte[] extra = join(new byte[] {0x1F, (byte) 0x8B, 8, 4, 0, 0, 0, 0, 0, 0, -1, -1}, longest);
        byte[] plain = deflated(ZlibWrapper.GZIP, "hello");
        assertEquals(
                "hello",
                inflate(new ZlibDecoder(ZlibWrapper.GZIP), join(extra, Arrays.copyOfRange(plain, 10, plain.length))));
        byte[] empty = new byte[] {0x1F, (byte) 0x8B, 8, 4, 0, 0, 0, 0, 0, 0, 0, 0};
        assertEquals(
                "hello",
                inflate(new ZlibDecoder(ZlibWrapper.GZIP), join(empty, Arrays.copyOfRange(plain, 10, plain.length))));
    }

    @Test
    void shouldBeReusableForANewConnection() {
        ZlibDecoder decoder = new ZlibDecoder();
        DecoderEmbedder<ChannelBuffer> first = new DecoderEmbedder<>(decoder);
        first.offer(wrap(new byte[] {0x78}));
        assertThrows(CodecEmbedderException.class, first::finish);
        assertEquals("again", inflate(decoder, deflated(ZlibWrapper.ZLIB, "again")));
        ZlibEncoder encoder = new ZlibEncoder();
        for (int i = 0; i < 2; i++) {
            EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(encoder);
            embedder.offer(wrap("hello".getBytes(US_ASCII)));
            embedder.finish();
            assertEquals("hello", inflate(new ZlibDecoder(), all(embedder.pollAll())));
        }
    }
}
