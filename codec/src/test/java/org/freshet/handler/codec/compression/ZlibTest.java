package org.freshet.handler.codec.compression;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class ZlibTest {
    private static final List<ZlibWrapper> WRAPPERS = List.of(ZlibWrapper.ZLIB, ZlibWrapper.GZIP, ZlibWrapper.NONE);

    private final Random random = Seeds.random();

    // ---- streams made by the JDK ----

    private static byte[] deflated(ZlibWrapper wrapper, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = wrapper == ZlibWrapper.GZIP
                ? new GZIPOutputStream(out)
                : new DeflaterOutputStream(out, new Deflater(6, wrapper == ZlibWrapper.NONE))) {
            deflater.write(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    private static byte[] deflated(ZlibWrapper wrapper, String content) {
        return deflated(wrapper, content.getBytes(US_ASCII));
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** A gzip member with every optional field. */
    private static byte[] decorated(String content) {
        byte[] plain = deflated(ZlibWrapper.GZIP, content);
        byte[] header = join(
                new byte[] {0x1F, (byte) 0x8B, 8, 2 | 4 | 8 | 16, 1, 2, 3, 4, 0, 3},
                new byte[] {3, 0, 'e', 'x', 't'},
                "name\0".getBytes(US_ASCII),
                "a comment\0".getBytes(US_ASCII));
        CRC32 checksum = new CRC32();
        checksum.update(header);
        byte[] check = {(byte) checksum.getValue(), (byte) (checksum.getValue() >> 8)};
        return join(header, check, Arrays.copyOfRange(plain, 10, plain.length));
    }

    private static ChannelBuffer wrap(byte[] bytes) {
        return ChannelBuffers.wrappedBuffer(bytes);
    }

    private static byte[] all(Object[] products) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Object product : products) {
            ChannelBuffer buffer = (ChannelBuffer) product;
            byte[] bytes = new byte[buffer.readableBytes()];
            buffer.getBytes(buffer.readerIndex(), bytes);
            out.writeBytes(bytes);
        }
        return out.toByteArray();
    }

    private static String inflate(ZlibDecoder decoder, byte[]... reads) {
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder);
        for (byte[] read : reads) {
            embedder.offer(wrap(read));
        }
        embedder.finish();
        return new String(all(embedder.pollAll()), US_ASCII);
    }

    private static CompressionException failure(ZlibDecoder decoder, byte[]... reads) {
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> inflate(decoder, reads));
        assertEquals(CompressionException.class, e.getCause().getClass());
        return (CompressionException) e.getCause();
    }

    private byte[] randomContent() {
        byte[] content = new byte[random.nextInt(3) == 0 ? random.nextInt(200_000) : random.nextInt(300)];
        int letters = 1 + random.nextInt(256);
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) random.nextInt(letters);
        }
        return content;
    }

    private static int[] cuts(Random random, int length) {
        return random.ints(random.nextInt(5), 0, length + 1).sorted().toArray();
    }

    // ---- against the JDK and Netty 3 ----

    @Test
    void shouldInflateWhatTheJdkDeflates() {
        for (int i = 0; i < 300; i++) {
            ZlibWrapper wrapper = WRAPPERS.get(random.nextInt(3));
            byte[] content = randomContent();
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

    /** Encoder and decoder settings at random, with a text of them. */
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

    @Test
    void shouldDeflateWhatNetty3Inflates() {
        for (int i = 0; i < 200; i++) {
            Setting setting = new Setting();
            EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(setting.ourEncoder());
            var decoder = setting.theirDecoder();
            for (int message = random.nextInt(4); message >= 0; message--) {
                byte[] content = join(setting.dictionary, randomContent(), setting.dictionary);
                encoder.offer(wrap(content));
                decoder.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(all(encoder.pollAll())));
                assertTrue(Arrays.equals(content, allTheirs(decoder.pollAll())), setting::toString);
            }
            encoder.finish();
            decoder.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(all(encoder.pollAll())));
            assertFalse(decoder.finish(), setting::toString);
        }
    }

    /** Netty 3 loses output that is longer than it guessed: only those of its streams count that it can read itself. */
    @Test
    void shouldInflateStreamsOfNetty3() {
        int whole = 0;
        for (int i = 0; i < 200; i++) {
            Setting setting = new Setting();
            var encoder = new org.jboss.netty.handler.codec.embedder.EncoderEmbedder<
                    org.jboss.netty.buffer.ChannelBuffer>(setting.theirEncoder());
            ByteArrayOutputStream contents = new ByteArrayOutputStream();
            for (int message = random.nextInt(4); message >= 0; message--) {
                byte[] content = join(setting.dictionary, randomContent(), setting.dictionary);
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
    void shouldWriteWhatNetty3WroteForSmallMessages() {
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
    void shouldSayWhetherTheStreamHasEnded() {
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
        assertSame(behind, other.poll());
        other.offer("text");
        assertEquals("text", other.poll());
    }

    @Test
    void shouldSayWhatIsWrongWithADictionary() {
        byte[] dictionary = "hello world dictionary".getBytes(US_ASCII);
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new JdkZlibEncoder(dictionary));
        encoder.offer(wrap("hello world".getBytes(US_ASCII)));
        encoder.finish();
        byte[] stream = all(encoder.pollAll());
        assertEquals("hello world", inflate(new ZlibDecoder(dictionary), stream));
        assertTrue(failure(new ZlibDecoder(), stream).getMessage().contains("needs a dictionary"));
        assertTrue(failure(new ZlibDecoder("other".getBytes(US_ASCII)), stream)
                .getMessage()
                .contains("another dictionary"));
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

    // ---- bad input ----

    @Test
    void shouldReportTruncationAtTheEnd() {
        for (ZlibWrapper wrapper : WRAPPERS) {
            byte[] stream = deflated(wrapper, "hello hello");
            assertEquals("", inflate(new ZlibDecoder(wrapper)), "nothing is no stream");
            for (int length = 1; length < stream.length; length++) {
                CompressionException e = failure(new ZlibDecoder(wrapper), Arrays.copyOf(stream, length));
                assertEquals("compressed stream breaks off", e.getMessage(), wrapper + " " + length);
            }
        }
        assertEquals(
                "compressed stream breaks off",
                failure(new ZlibDecoder(ZlibWrapper.ZLIB_OR_NONE), new byte[] {0x78})
                        .getMessage());
    }

    @Test
    void shouldReportCorruptionOnceAndThrowTheRestAway() {
        byte[] stream = deflated(ZlibWrapper.ZLIB, "hello hello");
        stream[stream.length - 1] ^= 1;
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new ZlibDecoder());
        assertThrows(CodecEmbedderException.class, () -> embedder.offer(wrap(stream)));
        assertEquals("hello hello", embedder.poll().toString(US_ASCII));
        embedder.offer(wrap(stream));
        assertFalse(embedder.finish());
    }

    @Test
    void shouldEndDamagedStreamsInTheDocumentedExceptionOnly() {
        for (int i = 0; i < 3000; i++) {
            ZlibWrapper wrapper = ZlibWrapper.values()[random.nextInt(4)];
            byte[] content = new byte[random.nextInt(400)];
            for (int j = 0; j < content.length; j++) {
                content[j] = (byte) random.nextInt(4);
            }
            byte[] stream = wrapper == ZlibWrapper.GZIP && random.nextBoolean()
                    ? decorated(HexFormat.of().formatHex(content))
                    : deflated(wrapper == ZlibWrapper.ZLIB_OR_NONE ? ZlibWrapper.ZLIB : wrapper, content);
            byte[] bad = Arrays.copyOf(stream, 1 + random.nextInt(stream.length));
            for (int flips = random.nextInt(4); flips > 0; flips--) {
                bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                inflate(new ZlibDecoder(wrapper), bad);
            } catch (CodecEmbedderException e) {
                assertEquals(
                        CompressionException.class,
                        e.getCause().getClass(),
                        () -> wrapper + " " + HexFormat.of().formatHex(bad) + " threw " + e.getCause());
                assertEquals(0, e.getSuppressed().length, "reported once");
            }
        }
    }

    @Test
    void shouldReportTheSameDamageHoweverTheInputIsCut() {
        for (int i = 0; i < 40; i++) {
            byte[] bad = deflated(ZlibWrapper.NONE, "some text, some more text " + i);
            bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            DecoderSplitChecker.of(() -> new ZlibDecoder(ZlibWrapper.NONE))
                    .joiningBuffers()
                    .check(bad);
        }
    }

    // ---- limits ----

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
    void shouldGiveOutPiecesOfBoundedSizeOneAtATime() {
        byte[] bomb = deflated(ZlibWrapper.ZLIB, new byte[5 << 20]);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new ZlibDecoder());
        embedder.offer(wrap(bomb));
        assertTrue(embedder.size() >= 80);
        for (Object piece : embedder.pollAll()) {
            assertTrue(((ChannelBuffer) piece).capacity() <= 65_536);
        }
    }

    /** Takes one piece, then suspends reading. */
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

    @Test
    void shouldGiveOutWhatWasHeldBackBeforeTheEndIsTold() {
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
    void shouldStopWhenAHandlerClosesTheChannel() {
        int[] pieces = new int[1];
        DecoderEmbedder<ChannelBuffer> embedder =
                new DecoderEmbedder<>(new ZlibDecoder(), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        pieces[0]++;
                        e.getChannel().close();
                    }
                });
        embedder.offer(wrap(deflated(ZlibWrapper.ZLIB, new byte[1 << 20])));
        assertEquals(1, pieces[0]);
    }

    @Test
    void shouldServeANewConnection() {
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

    // ---- the encoder's end ----

    @Test
    void shouldWriteTheEndOnceOnCloseAndPassWhatFollows() {
        ZlibEncoder encoder = new ZlibEncoder();
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(encoder);
        embedder.offer(wrap("hello".getBytes(US_ASCII)));
        ChannelFuture closed = encoder.close();
        assertTrue(closed.isSuccess());
        assertTrue(encoder.isClosed());
        assertTrue(encoder.close().isSuccess());
        assertEquals("hello", inflate(new ZlibDecoder(), all(embedder.pollAll())));
        ChannelBuffer raw = wrap("raw".getBytes(US_ASCII));
        embedder.offer(raw);
        assertSame(raw, embedder.poll());
        assertFalse(embedder.finish());
    }

    @Test
    void shouldMakeAStreamOfNothing() {
        for (ZlibWrapper wrapper : WRAPPERS) {
            EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(new JdkZlibEncoder(wrapper));
            assertTrue(embedder.finish());
            assertEquals("", inflate(new ZlibDecoder(wrapper), all(embedder.pollAll())));
        }
    }

    @Test
    void shouldPassEmptyBuffersAndOtherMessages() {
        EncoderEmbedder<Object> embedder = new EncoderEmbedder<>(new ZlibEncoder());
        embedder.offer(ChannelBuffers.EMPTY_BUFFER);
        assertSame(ChannelBuffers.EMPTY_BUFFER, embedder.poll());
        embedder.offer("text");
        assertSame("text", embedder.poll());
    }

    @Test
    void shouldNotWriteTheEndWhenRemoved() {
        ZlibEncoder encoder = new ZlibEncoder();
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(encoder);
        embedder.offer(wrap("hello".getBytes(US_ASCII)));
        embedder.poll();
        embedder.getPipeline().remove(encoder);
        assertFalse(embedder.finish());
        assertThrows(IllegalStateException.class, encoder::close);
    }

    @Test
    void shouldRefuseBadArguments() {
        assertThrows(IllegalArgumentException.class, () -> new ZlibEncoder(ZlibWrapper.ZLIB_OR_NONE));
        assertThrows(IllegalArgumentException.class, () -> new JdkZlibEncoder(ZlibWrapper.ZLIB_OR_NONE));
        assertThrows(IllegalArgumentException.class, () -> new ZlibEncoder(10));
        assertThrows(IllegalArgumentException.class, () -> new JdkZlibEncoder(-1));
        assertThrows(IllegalArgumentException.class, () -> new ZlibEncoder(ZlibWrapper.ZLIB, 6, 8, 8));
        assertThrows(IllegalArgumentException.class, () -> new ZlibEncoder(ZlibWrapper.ZLIB, 6, 16, 8));
        assertThrows(IllegalArgumentException.class, () -> new ZlibEncoder(ZlibWrapper.ZLIB, 6, 9, 10));
        assertThrows(NullPointerException.class, () -> new ZlibEncoder(6, (byte[]) null));
        assertThrows(NullPointerException.class, () -> new ZlibEncoder((ZlibWrapper) null));
        assertThrows(NullPointerException.class, () -> new ZlibDecoder((ZlibWrapper) null));
        assertThrows(NullPointerException.class, () -> new ZlibDecoder((byte[]) null));
        assertThrows(IllegalArgumentException.class, () -> new ZlibDecoder(ZlibWrapper.ZLIB, 0));
    }
}
