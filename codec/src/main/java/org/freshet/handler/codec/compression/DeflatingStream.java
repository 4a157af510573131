package org.freshet.handler.codec.compression;

import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.handler.codec.internal.WindowedDeflater;

/**
 * Deflates messages into one stream, with the header and trailer of its wrapper. Each message can be inflated as soon
 * as it arrives; see {@link WindowedDeflater}.
 *
 * <p>Not thread-safe: the encoder calls it under its lock. Holds native memory until {@link #end}.
 */
final class DeflatingStream {
    private static final int ZLIB_DEFLATE = 8;
    private static final int ZLIB_DICTIONARY_FLAG = 0x20;
    private static final int ZLIB_CHECK = 31;

    private final ZlibWrapper wrapper;
    private final int level;
    private final int windowBits;
    private final byte[] dictionary;
    private final WindowedDeflater deflater;

    /** Null if the wrapper has none. */
    private final Checksum checksum;

    /** The total of all messages. The gzip trailer has it modulo 2^32. */
    private long inputBytes;

    private boolean headerWritten;

    DeflatingStream(ZlibWrapper wrapper, int level, int windowBits, byte[] dictionary) {
        this.wrapper = wrapper;
        this.level = level;
        this.windowBits = windowBits;
        this.dictionary = dictionary;
        deflater = new WindowedDeflater(level, windowBits);
        checksum = switch (wrapper) {
            case ZLIB -> new Adler32();
            case GZIP -> new CRC32();
            default -> null;
        };
        if (dictionary != null) {
            deflater.setDictionary(dictionary);
        }
    }

    ChannelBuffer encode(ChannelBuffer message, ChannelBufferFactory factory) {
        begin(message.readableBytes());
        if (checksum != null) {
            checksum.update(message.toByteBuffer());
        }
        inputBytes += message.readableBytes();
        deflater.deflate(message);
        return take(factory);
    }

    /** Ends the stream and returns its last bytes. */
    ChannelBuffer finish(ChannelBufferFactory factory) {
        begin(0);
        deflater.finish();
        writeTrailer();
        return take(factory);
    }

    /** Must be called once. */
    void end() {
        deflater.end();
    }

    private void begin(int inputBytes) {
        deflater.begin(inputBytes);
        if (!headerWritten) {
            headerWritten = true;
            writeHeader();
        }
    }

    private ChannelBuffer take(ChannelBufferFactory factory) {
        return factory.getBuffer(deflater.output(), 0, deflater.length());
    }

    // ---- headers and trailers ----

    private void writeHeader() {
        if (wrapper == ZlibWrapper.ZLIB) {
            writeZlibHeader();
        } else if (wrapper == ZlibWrapper.GZIP) {
            // ID, deflate, no flags, no time, no level hint, and the same operating system byte as Netty 3
            deflater.write(0x1F, 0x8B, ZLIB_DEFLATE, 0, 0, 0, 0, 0, 0, 0);
        }
    }

    private void writeZlibHeader() {
        int first = windowBits - 8 << 4 | ZLIB_DEFLATE;
        int second = levelHint() << 6 | (dictionary != null ? ZLIB_DICTIONARY_FLAG : 0);
        second += ZLIB_CHECK - (first << 8 | second) % ZLIB_CHECK;
        deflater.write(first, second);
        if (dictionary != null) {
            Adler32 id = new Adler32();
            id.update(dictionary);
            writeBigEndian((int) id.getValue());
        }
    }

    /** The level hint of RFC 1950: 0 (fastest) to 3 (best); 2 is the default. */
    private int levelHint() {
        if (level < 0 || level == 6) {
            return 2;
        }
        return level < 2 ? 0 : level < 6 ? 1 : 3;
    }

    private void writeTrailer() {
        if (wrapper == ZlibWrapper.ZLIB) {
            writeBigEndian((int) checksum.getValue());
        } else if (wrapper == ZlibWrapper.GZIP) {
            writeBigEndian(Integer.reverseBytes((int) checksum.getValue()));
            writeBigEndian(Integer.reverseBytes((int) inputBytes));
        }
    }

    private void writeBigEndian(int value) {
        deflater.write(value >>> 24, value >>> 16, value >>> 8, value);
    }
}
