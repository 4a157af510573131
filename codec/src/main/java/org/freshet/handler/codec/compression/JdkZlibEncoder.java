package org.freshet.handler.codec.compression;

import org.freshet.handler.codec.internal.WindowedDeflater;

/**
 * Deflates everything written into one stream. The same as {@link ZlibEncoder}, but without its window options.
 *
 * <p>Each message becomes one buffer, which the receiver can inflate as soon as it arrives. {@link #close()} ends the
 * stream; otherwise it is ended before the channel closes. Messages other than buffers pass through.
 *
 * <p>Any thread may write. An instance belongs to one pipeline.
 */
public class JdkZlibEncoder extends DeflatingEncoder {
    /** Uses level 6 and {@link ZlibWrapper#ZLIB}. */
    public JdkZlibEncoder() {
        this(DEFAULT_LEVEL);
    }

    /** Uses {@link ZlibWrapper#ZLIB}. */
    public JdkZlibEncoder(int compressionLevel) {
        this(ZlibWrapper.ZLIB, compressionLevel);
    }

    /** Uses level 6. */
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

    /** Uses level 6 and {@link ZlibWrapper#ZLIB}. */
    public JdkZlibEncoder(byte[] dictionary) {
        this(DEFAULT_LEVEL, dictionary);
    }

    /**
     * Writes {@link ZlibWrapper#ZLIB}.
     *
     * @param compressionLevel 0 (none) to 9 (best)
     * @param dictionary content that messages are likely to have; the receiver must have the same. Copied
     */
    public JdkZlibEncoder(int compressionLevel, byte[] dictionary) {
        super(ZlibWrapper.ZLIB, compressionLevel, WindowedDeflater.MAX_WINDOW_BITS, copyOf(dictionary));
    }
}
