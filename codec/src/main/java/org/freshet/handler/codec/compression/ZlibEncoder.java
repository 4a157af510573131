package org.freshet.handler.codec.compression;

import org.freshet.handler.codec.internal.WindowedDeflater;

/**
 * Deflates what is written into one stream, in one of the wrappers of {@link ZlibWrapper}.
 *
 * <p>Each message is sent on as a buffer of its own, and can be inflated as soon as it has arrived. The end of the stream is
 * written by {@link #close()}, or before the channel closes. Other messages than buffers pass. Between two messages, the encoder holds
 * nothing but the deflater's window: 32 KiB and its tables, in native memory. Messages that wait for their turn count in the channel's
 * {@link org.freshet.channel.WriteAccount}.
 *
 * <p>Any thread may write. An instance belongs to one pipeline.
 *
 * <p>The window says how far a reader must be able to look back: 2<sup>{@code windowBits}</sup> bytes. Less than 15 costs
 * compression and is for readers with little memory. The memory level only matters to implementations that can trade
 * memory for speed, which the JDK's cannot; it is checked and has no other effect.
 */
public class ZlibEncoder extends DeflatingEncoder {
    private static final int MIN_WINDOW_BITS = 9;
    private static final int MAX_MEM_LEVEL = 9;
    private static final int DEFAULT_MEM_LEVEL = 8;

    /** Level 6, {@link ZlibWrapper#ZLIB}. */
    public ZlibEncoder() {
        this(DEFAULT_LEVEL);
    }

    /** {@link ZlibWrapper#ZLIB}. */
    public ZlibEncoder(int compressionLevel) {
        this(ZlibWrapper.ZLIB, compressionLevel);
    }

    /** Level 6. */
    public ZlibEncoder(ZlibWrapper wrapper) {
        this(wrapper, DEFAULT_LEVEL);
    }

    /** A window of 15 bits. */
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

    /** Level 6, {@link ZlibWrapper#ZLIB}. */
    public ZlibEncoder(byte[] dictionary) {
        this(DEFAULT_LEVEL, dictionary);
    }

    /** {@link ZlibWrapper#ZLIB}, with a window of 15 bits. */
    public ZlibEncoder(int compressionLevel, byte[] dictionary) {
        this(compressionLevel, WindowedDeflater.MAX_WINDOW_BITS, DEFAULT_MEM_LEVEL, dictionary);
    }

    /**
     * @param compressionLevel 0 (none) to 9 (best)
     * @param windowBits 9 to 15
     * @param memLevel 1 to 9
     * @param dictionary what messages are likely to contain, known to the reader; is copied
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
