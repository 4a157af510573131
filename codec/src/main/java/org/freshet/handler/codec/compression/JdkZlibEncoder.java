package org.freshet.handler.codec.compression;

import org.freshet.handler.codec.internal.WindowedDeflater;

/**
 * Deflates what is written into one stream. The same as {@link ZlibEncoder}, without its options for the window.
 *
 * <p>Each message is sent on as a buffer of its own, and can be inflated as soon as it has arrived. The end of the stream is
 * written by {@link #close()}, or before the channel closes. Other messages than buffers pass.
 *
 * <p>Any thread may write. An instance belongs to one pipeline.
 */
public class JdkZlibEncoder extends DeflatingEncoder {
    /** Level 6, {@link ZlibWrapper#ZLIB}. */
    public JdkZlibEncoder() {
        this(DEFAULT_LEVEL);
    }

    /** {@link ZlibWrapper#ZLIB}. */
    public JdkZlibEncoder(int compressionLevel) {
        this(ZlibWrapper.ZLIB, compressionLevel);
    }

    /** Level 6. */
    public JdkZlibEncoder(ZlibWrapper wrapper) {
        this(wrapper, DEFAULT_LEVEL);
    }

    /**
     * @param wrapper not {@link ZlibWrapper#ZLIB_OR_NONE}
     * @param compressionLevel 0 (none) to 9 (best)
     */
    public JdkZlibEncoder(ZlibWrapper wrapper, int compressionLevel) {
        super(wrapper, compressionLevel, WindowedDeflater.MAX_WINDOW_BITS, null);
    }

    /** Level 6, {@link ZlibWrapper#ZLIB}. */
    public JdkZlibEncoder(byte[] dictionary) {
        this(DEFAULT_LEVEL, dictionary);
    }

    /**
     * Writes {@link ZlibWrapper#ZLIB}.
     *
     * @param compressionLevel 0 (none) to 9 (best)
     * @param dictionary what messages are likely to contain, known to the reader; is copied
     */
    public JdkZlibEncoder(int compressionLevel, byte[] dictionary) {
        super(ZlibWrapper.ZLIB, compressionLevel, WindowedDeflater.MAX_WINDOW_BITS, copyOf(dictionary));
    }
}
