package org.freshet.handler.codec.compression;

import org.freshet.handler.codec.internal.WindowedDeflater;

/**
 * Deflates everything written into one stream, in one of the wrappers of {@link ZlibWrapper}.
 *
 * <p>Each message becomes one buffer, which the receiver can inflate as soon as it arrives. {@link #close()} ends the
 * stream; otherwise it is ended before the channel closes. Messages other than buffers pass through.
 *
 * <p>Between two messages the encoder holds only the deflater's window of 32 KiB and its tables, in native memory.
 * Messages waiting for their turn count in the channel's {@link org.freshet.channel.WriteAccount}.
 *
 * <p>Any thread may write. An instance belongs to one pipeline.
 *
 * <p>The receiver needs a window of 2<sup>{@code windowBits}</sup> bytes. Less than 15 bits compresses worse; use it
 * for receivers with little memory. {@code memLevel} is checked but has no effect: the JDK's deflater cannot trade
 * memory for speed.
 */
public class ZlibEncoder extends DeflatingEncoder {
    private static final int MIN_WINDOW_BITS = 9;
    private static final int MAX_MEM_LEVEL = 9;
    private static final int DEFAULT_MEM_LEVEL = 8;

    /** Uses level 6 and {@link ZlibWrapper#ZLIB}. */
    public ZlibEncoder() {
        this(DEFAULT_LEVEL);
    }

    /** Uses {@link ZlibWrapper#ZLIB}. */
    public ZlibEncoder(int compressionLevel) {
        this(ZlibWrapper.ZLIB, compressionLevel);
    }

    /** Uses level 6. */
    public ZlibEncoder(ZlibWrapper wrapper) {
        this(wrapper, DEFAULT_LEVEL);
    }

    /** Uses a window of 15 bits. */
    public ZlibEncoder(ZlibWrapper wrapper, int compressionLevel) {
        this(wrapper, compressionLevel, WindowedDeflater.MAX_WINDOW_BITS, DEFAULT_MEM_LEVEL);
    }

    /**
     * @param wrapper not {@link ZlibWrapper#ZLIB_OR_NONE}
     * @param compressionLevel 0 (none) to 9 (best)
     * @param windowBits 9 to 15
     * @param memLevel 1 to 9
     */
    public ZlibEncoder(ZlibWrapper wrapper, int compressionLevel, int windowBits, int memLevel) {
        super(wrapper, compressionLevel, checkedWindowBits(windowBits, memLevel), null);
    }

    /** Uses level 6 and {@link ZlibWrapper#ZLIB}. */
    public ZlibEncoder(byte[] dictionary) {
        this(DEFAULT_LEVEL, dictionary);
    }

    /** Uses {@link ZlibWrapper#ZLIB} and a window of 15 bits. */
    public ZlibEncoder(int compressionLevel, byte[] dictionary) {
        this(compressionLevel, WindowedDeflater.MAX_WINDOW_BITS, DEFAULT_MEM_LEVEL, dictionary);
    }

    /**
     * @param compressionLevel 0 (none) to 9 (best)
     * @param windowBits 9 to 15
     * @param memLevel 1 to 9
     * @param dictionary content that messages are likely to have; the receiver must have the same. Copied
     */
    public ZlibEncoder(int compressionLevel, int windowBits, int memLevel, byte[] dictionary) {
        super(ZlibWrapper.ZLIB, compressionLevel, checkedWindowBits(windowBits, memLevel), copyOf(dictionary));
    }

    private static int checkedWindowBits(int windowBits, int memLevel) {
        if (windowBits < MIN_WINDOW_BITS || windowBits > WindowedDeflater.MAX_WINDOW_BITS) {
            throw new IllegalArgumentException("windowBits not in 9..15: " + windowBits);
        }
        if (memLevel < 1 || memLevel > MAX_MEM_LEVEL) {
            throw new IllegalArgumentException("memLevel not in 1..9: " + memLevel);
        }
        return windowBits;
    }
}
