package org.freshet.handler.codec.compression;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;

/** Compressed streams created by the JDK, and a decoder's output for them. */
public final class ZlibStreams {
    static final List<ZlibWrapper> WRAPPERS = List.of(ZlibWrapper.ZLIB, ZlibWrapper.GZIP, ZlibWrapper.NONE);

    private ZlibStreams() {}

    public static byte[] gzipped(byte[] content) {
        return deflated(ZlibWrapper.GZIP, content);
    }

    public static byte[] deflated(ZlibWrapper wrapper, byte[] content) {
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

    static byte[] deflated(ZlibWrapper wrapper, String content) {
        return deflated(wrapper, content.getBytes(US_ASCII));
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** A gzip member with every optional field. */
    static byte[] decorated(String content) {
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

    static ChannelBuffer wrap(byte[] bytes) {
        return ChannelBuffers.wrappedBuffer(bytes);
    }

    static byte[] all(Object[] products) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Object product : products) {
            ChannelBuffer buffer = (ChannelBuffer) product;
            byte[] bytes = new byte[buffer.readableBytes()];
            buffer.getBytes(buffer.readerIndex(), bytes);
            out.writeBytes(bytes);
        }
        return out.toByteArray();
    }

    static String inflate(ZlibDecoder decoder, byte[]... reads) {
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder);
        for (byte[] read : reads) {
            embedder.offer(wrap(read));
        }
        embedder.finish();
        return new String(all(embedder.pollAll()), US_ASCII);
    }

    static CompressionException failure(ZlibDecoder decoder, byte[]... reads) {
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> inflate(decoder, reads));
        assertEquals(CompressionException.class, e.getCause().getClass());
        return (CompressionException) e.getCause();
    }

    static byte[] randomContent(Random random) {
        byte[] content = new byte[random.nextInt(3) == 0 ? random.nextInt(200_000) : random.nextInt(300)];
        int letters = 1 + random.nextInt(256);
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) random.nextInt(letters);
        }
        return content;
    }

    static int[] cuts(Random random, int length) {
        return random.ints(random.nextInt(5), 0, length + 1).sorted().toArray();
    }
}
