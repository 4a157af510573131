package org.freshet.handler.codec.compression;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import java.util.zip.Deflater;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;

/**
 * Deflates one stream of messages. Each message can be inflated as soon as it has arrived, since it ends with an empty block.
 *
 * <p>The JDK's deflater always looks back up to 32 KiB. For a reader with a smaller window the stream is cut into segments
 * of that size that refer to nothing before their beginning.
 *
 * <p>Not thread-safe: the encoder calls it under its lock. Holds native memory until {@link #end}.
 */
final class DeflatingStream {
    static final int MAX_WINDOW_BITS = 15;

    /** Room for the empty block at the end of a message, and for what small messages grow by. */
    private static final int OVERHEAD_BYTES = 64;

    private static final int ZLIB_DEFLATE = 8;
    private static final int ZLIB_DICTIONARY_FLAG = 0x20;
    private static final int ZLIB_CHECK = 31;

    private final ZlibWrapper wrapper;
    private final int level;
    private final int windowBits;
    private final byte[] dictionary;
    private final Deflater deflater;

    /** Null if the wrapper has none. */
    private final Checksum checksum;

    /** Of all messages; gzip wants it modulo 2^32. */
    private long inputBytes;

    /** How much more input belongs to the current segment. */
    private int segmentBytes;

    private boolean headerWritten;

    // What is being made.
    private byte[] output;
    private int length;

    DeflatingStream(ZlibWrapper wrapper, int level, int windowBits, byte[] dictionary) {
        this.wrapper = wrapper;
        this.level = level;
        this.windowBits = windowBits;
        this.dictionary = dictionary;
        deflater = new Deflater(level, true);
        checksum = switch (wrapper) {
            case ZLIB -> new Adler32();
            case GZIP -> new CRC32();
            default -> null;
        };
        segmentBytes = windowBytes();
        if (dictionary != null) {
            setDictionary();
        }
    }

    private int windowBytes() {
        return 1 << windowBits;
    }

    private boolean isSegmented() {
        return windowBits < MAX_WINDOW_BITS;
    }

    private void setDictionary() {
        if (!isSegmented()) {
            deflater.setDictionary(dictionary);
            return;
        }
        // The first segment looks back into the dictionary: half the window each.
        segmentBytes = windowBytes() / 2;
        int tail = Math.min(dictionary.length, windowBytes() / 2);
        deflater.setDictionary(dictionary, dictionary.length - tail, tail);
    }

    ChannelBuffer encode(ChannelBuffer message, ChannelBufferFactory factory) {
        begin(message.readableBytes() / 2);
        ByteBuffer input = message.toByteBuffer();
        if (checksum != null) {
            checksum.update(input.duplicate());
        }
        inputBytes += input.remaining();
        if (isSegmented()) {
            deflateSegments(input);
        } else {
            deflate(input, Deflater.SYNC_FLUSH);
        }
        return take(factory);
    }

    private void deflateSegments(ByteBuffer input) {
        while (input.remaining() >= segmentBytes) {
            ByteBuffer segment = input.slice(input.position(), segmentBytes);
            input.position(input.position() + segmentBytes);
            deflate(segment, Deflater.FULL_FLUSH);
            segmentBytes = windowBytes();
        }
        segmentBytes -= input.remaining();
        deflate(input, Deflater.SYNC_FLUSH);
    }

    /** The end of the stream. */
    ChannelBuffer finish(ChannelBufferFactory factory) {
        begin(0);
        deflater.finish();
        while (!deflater.finished()) {
            ensureRoom();
            length += deflater.deflate(output, length, output.length - length);
        }
        writeTrailer();
        return take(factory);
    }

    void end() {
        deflater.end();
    }

    private void deflate(ByteBuffer input, int flush) {
        deflater.setInput(input);
        int written;
        int room;
        do {
            ensureRoom();
            room = output.length - length;
            written = deflater.deflate(output, length, room, flush);
            length += written;
        } while (written == room); // full: there may be more
    }

    private void begin(int expectedBytes) {
        output = new byte[expectedBytes + OVERHEAD_BYTES];
        length = 0;
        if (!headerWritten) {
            headerWritten = true;
            writeHeader();
        }
    }

    private void ensureRoom() {
        if (length == output.length) {
            output = Arrays.copyOf(output, output.length * 2);
        }
    }

    private ChannelBuffer take(ChannelBufferFactory factory) {
        ChannelBuffer taken = factory.getBuffer(output, 0, length);
        output = null;
        return taken;
    }

    // ---- headers and trailers ----

    private void writeHeader() {
        if (wrapper == ZlibWrapper.ZLIB) {
            writeZlibHeader();
        } else if (wrapper == ZlibWrapper.GZIP) {
            // ID, deflate, no flags, no time, no hint at the level, unknown operating system
            write(0x1F, 0x8B, ZLIB_DEFLATE, 0, 0, 0, 0, 0, 0, 0xFF);
        }
    }

    private void writeZlibHeader() {
        int first = windowBits - 8 << 4 | ZLIB_DEFLATE;
        int second = levelHint() << 6 | (dictionary != null ? ZLIB_DICTIONARY_FLAG : 0);
        second += ZLIB_CHECK - (first << 8 | second) % ZLIB_CHECK;
        write(first, second);
        if (dictionary != null) {
            Adler32 id = new Adler32();
            id.update(dictionary);
            writeBigEndian((int) id.getValue());
        }
    }

    /** 0 for the fastest to 3 for the best, as RFC 1950 has it; 2 is the default. */
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
        write(value >>> 24, value >>> 16, value >>> 8, value);
    }

    private void write(int... bytes) {
        for (int b : bytes) {
            ensureRoom();
            output[length] = (byte) b;
            length++;
        }
    }
}
