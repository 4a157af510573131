package org.freshet.handler.codec.base64;

import java.util.Arrays;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.HeapChannelBufferFactory;

/**
 * Encodes buffers to Base64 text (ASCII) and decodes them, with {@link java.util.Base64}.
 *
 * <p>If lines are broken, a line feed follows every 76 characters (57 bytes of input), also when they are the last
 * ones.
 *
 * <p>Decoding skips spaces, tabs, carriage returns and line feeds anywhere, and accepts missing padding. Anything else
 * that is not Base64 causes an {@link IllegalArgumentException}: a character outside the dialect, padding in the
 * middle, a last group of one character.
 *
 * <p>Results have the byte order of the source. They are on the heap unless you pass a factory. Stateless; any thread
 * may call these methods.
 */
public final class Base64 {
    private static final int BYTES_PER_LINE = 57;

    private static final java.util.Base64.Encoder ONE_LINE = java.util.Base64.getEncoder();
    private static final java.util.Base64.Encoder LINES =
            java.util.Base64.getMimeEncoder(BYTES_PER_LINE / 3 * 4, new byte[] {'\n'});
    private static final java.util.Base64.Decoder DECODER = java.util.Base64.getDecoder();

    private Base64() {}

    /** Encodes the readable bytes of {@code src} and consumes them. Standard dialect, with line breaks. */
    public static ChannelBuffer encode(ChannelBuffer src) {
        return encode(src, true, Base64Dialect.STANDARD, HeapChannelBufferFactory.getInstance());
    }

    /** Encodes the readable bytes of {@code src} and consumes them. Standard dialect, with line breaks. */
    public static ChannelBuffer encode(ChannelBuffer src, ChannelBufferFactory bufferFactory) {
        return encode(src, true, Base64Dialect.STANDARD, bufferFactory);
    }

    /** Encodes the readable bytes of {@code src} and consumes them. Breaks lines if the dialect does by default. */
    public static ChannelBuffer encode(ChannelBuffer src, Base64Dialect dialect) {
        return encode(src, breakLinesByDefault(dialect), dialect, HeapChannelBufferFactory.getInstance());
    }

    /** Encodes the readable bytes of {@code src} and consumes them. Breaks lines if the dialect does by default. */
    public static ChannelBuffer encode(ChannelBuffer src, Base64Dialect dialect, ChannelBufferFactory bufferFactory) {
        return encode(src, breakLinesByDefault(dialect), dialect, bufferFactory);
    }

    /** Encodes the readable bytes of {@code src} and consumes them. Standard dialect. */
    public static ChannelBuffer encode(ChannelBuffer src, boolean breakLines) {
        return encode(src, breakLines, Base64Dialect.STANDARD, HeapChannelBufferFactory.getInstance());
    }

    /** Encodes the readable bytes of {@code src} and consumes them. Standard dialect. */
    public static ChannelBuffer encode(ChannelBuffer src, boolean breakLines, ChannelBufferFactory bufferFactory) {
        return encode(src, breakLines, Base64Dialect.STANDARD, bufferFactory);
    }

    /** Encodes the readable bytes of {@code src} and consumes them. */
    public static ChannelBuffer encode(ChannelBuffer src, boolean breakLines, Base64Dialect dialect) {
        return encode(src, breakLines, dialect, HeapChannelBufferFactory.getInstance());
    }

    /** Encodes a part of {@code src} without moving its indexes. Standard dialect, with line breaks. */
    public static ChannelBuffer encode(ChannelBuffer src, int off, int len) {
        return encode(src, off, len, true, Base64Dialect.STANDARD, HeapChannelBufferFactory.getInstance());
    }

    /** Encodes a part of {@code src} without moving its indexes. Standard dialect, with line breaks. */
    public static ChannelBuffer encode(ChannelBuffer src, int off, int len, ChannelBufferFactory bufferFactory) {
        return encode(src, off, len, true, Base64Dialect.STANDARD, bufferFactory);
    }

    /** Encodes a part of {@code src} without moving its indexes. Breaks lines if the dialect does by default. */
    public static ChannelBuffer encode(ChannelBuffer src, int off, int len, Base64Dialect dialect) {
        return encode(src, off, len, breakLinesByDefault(dialect), dialect, HeapChannelBufferFactory.getInstance());
    }

    /** Encodes a part of {@code src} without moving its indexes. Breaks lines if the dialect does by default. */
    public static ChannelBuffer encode(
            ChannelBuffer src, int off, int len, Base64Dialect dialect, ChannelBufferFactory bufferFactory) {
        return encode(src, off, len, breakLinesByDefault(dialect), dialect, bufferFactory);
    }

    /** Encodes a part of {@code src} without moving its indexes. Standard dialect. */
    public static ChannelBuffer encode(ChannelBuffer src, int off, int len, boolean breakLines) {
        return encode(src, off, len, breakLines, Base64Dialect.STANDARD, HeapChannelBufferFactory.getInstance());
    }

    /** Encodes a part of {@code src} without moving its indexes. Standard dialect. */
    public static ChannelBuffer encode(
            ChannelBuffer src, int off, int len, boolean breakLines, ChannelBufferFactory bufferFactory) {
        return encode(src, off, len, breakLines, Base64Dialect.STANDARD, bufferFactory);
    }

    /** Encodes a part of {@code src} without moving its indexes. */
    public static ChannelBuffer encode(ChannelBuffer src, int off, int len, boolean breakLines, Base64Dialect dialect) {
        return encode(src, off, len, breakLines, dialect, HeapChannelBufferFactory.getInstance());
    }

    /** Encodes the readable bytes of {@code src} and consumes them. */
    public static ChannelBuffer encode(
            ChannelBuffer src, boolean breakLines, Base64Dialect dialect, ChannelBufferFactory bufferFactory) {
        Objects.requireNonNull(src, "src");
        ChannelBuffer encoded = encode(src, src.readerIndex(), src.readableBytes(), breakLines, dialect, bufferFactory);
        src.skipBytes(src.readableBytes());
        return encoded;
    }

    /** Encodes a part of {@code src} without moving its indexes. */
    public static ChannelBuffer encode(
            ChannelBuffer src,
            int off,
            int len,
            boolean breakLines,
            Base64Dialect dialect,
            ChannelBufferFactory bufferFactory) {
        Objects.requireNonNull(dialect, "dialect");
        Objects.requireNonNull(bufferFactory, "bufferFactory");
        byte[] text = (breakLines ? LINES : ONE_LINE).encode(bytes(src, off, len));
        if (breakLines && len > 0 && len % BYTES_PER_LINE == 0) {
            text = Arrays.copyOf(text, text.length + 1);
            text[text.length - 1] = '\n';
        }
        dialect.alphabet.translateFromStandard(text);
        return bufferFactory.getBuffer(src.order(), text, 0, text.length);
    }

    private static boolean breakLinesByDefault(Base64Dialect dialect) {
        return Objects.requireNonNull(dialect, "dialect").breakLinesByDefault;
    }

    /** Decodes the readable bytes of {@code src} and consumes them. Standard dialect. */
    public static ChannelBuffer decode(ChannelBuffer src) {
        return decode(src, Base64Dialect.STANDARD, HeapChannelBufferFactory.getInstance());
    }

    /** Decodes the readable bytes of {@code src} and consumes them. Standard dialect. */
    public static ChannelBuffer decode(ChannelBuffer src, ChannelBufferFactory bufferFactory) {
        return decode(src, Base64Dialect.STANDARD, bufferFactory);
    }

    /** Decodes the readable bytes of {@code src} and consumes them. */
    public static ChannelBuffer decode(ChannelBuffer src, Base64Dialect dialect) {
        return decode(src, dialect, HeapChannelBufferFactory.getInstance());
    }

    /** Decodes a part of {@code src} without moving its indexes. Standard dialect. */
    public static ChannelBuffer decode(ChannelBuffer src, int off, int len) {
        return decode(src, off, len, Base64Dialect.STANDARD, HeapChannelBufferFactory.getInstance());
    }

    /** Decodes a part of {@code src} without moving its indexes. Standard dialect. */
    public static ChannelBuffer decode(ChannelBuffer src, int off, int len, ChannelBufferFactory bufferFactory) {
        return decode(src, off, len, Base64Dialect.STANDARD, bufferFactory);
    }

    /** Decodes a part of {@code src} without moving its indexes. */
    public static ChannelBuffer decode(ChannelBuffer src, int off, int len, Base64Dialect dialect) {
        return decode(src, off, len, dialect, HeapChannelBufferFactory.getInstance());
    }

    /** Decodes the readable bytes of {@code src} and consumes them. */
    public static ChannelBuffer decode(ChannelBuffer src, Base64Dialect dialect, ChannelBufferFactory bufferFactory) {
        Objects.requireNonNull(src, "src");
        ChannelBuffer decoded = decode(src, src.readerIndex(), src.readableBytes(), dialect, bufferFactory);
        src.skipBytes(src.readableBytes());
        return decoded;
    }

    /**
     * Decodes a part of {@code src} without moving its indexes.
     *
     * @throws IllegalArgumentException if the input is not Base64; the message gives the position
     */
    public static ChannelBuffer decode(
            ChannelBuffer src, int off, int len, Base64Dialect dialect, ChannelBufferFactory bufferFactory) {
        Objects.requireNonNull(dialect, "dialect");
        Objects.requireNonNull(bufferFactory, "bufferFactory");
        byte[] text = bytes(src, off, len);
        int length = dialect.alphabet.translateToStandard(text);
        byte[] decoded = DECODER.decode(length == text.length ? text : Arrays.copyOf(text, length));
        return bufferFactory.getBuffer(src.order(), decoded, 0, decoded.length);
    }

    private static byte[] bytes(ChannelBuffer src, int off, int len) {
        Objects.requireNonNull(src, "src");
        if (len < 0) {
            throw new IndexOutOfBoundsException("len < 0: " + len);
        }
        byte[] bytes = new byte[len];
        src.getBytes(off, bytes);
        return bytes;
    }
}
