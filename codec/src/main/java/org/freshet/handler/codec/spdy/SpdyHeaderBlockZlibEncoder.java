package org.freshet.handler.codec.spdy;

import java.util.zip.Adler32;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.internal.WindowedDeflater;

/**
 * Deflates the header blocks of a session into one zlib stream that starts with SPDY's dictionary. Holds native memory from the
 * first block to {@link #end}.
 */
final class SpdyHeaderBlockZlibEncoder extends SpdyHeaderBlockRawEncoder {
    private static final int CMF_DEFLATE = 8;
    private static final int FLG_DICTIONARY = 0x20;
    private static final int CHECK_MODULUS = 31;

    private final int level;
    private final int windowBits;

    /** Null until the first block. */
    private WindowedDeflater deflater;

    SpdyHeaderBlockZlibEncoder(SpdyVersion version, int level, int windowBits) {
        super(version);
        this.level = level;
        this.windowBits = windowBits;
    }

    @Override
    public ChannelBuffer encode(SpdyHeadersFrame frame) throws Exception {
        ChannelBuffer block = super.encode(frame);
        if (!block.readable()) {
            return block;
        }
        boolean isFirst = deflater == null;
        if (isFirst) {
            deflater = new WindowedDeflater(level, windowBits);
            deflater.setDictionary(SpdyDictionary.bytes());
        }
        deflater.begin(block.readableBytes());
        if (isFirst) {
            writeZlibHead();
        }
        deflater.deflate(block);
        return ChannelBuffers.wrappedBuffer(deflater.output(), 0, deflater.length());
    }

    /** Writes the header of RFC 1950 2.2. */
    private void writeZlibHead() {
        int first = windowBits - 8 << 4 | CMF_DEFLATE;
        int second = levelHint() << 6 | FLG_DICTIONARY;
        second += CHECK_MODULUS - (first << 8 | second) % CHECK_MODULUS;
        Adler32 adler = new Adler32();
        adler.update(SpdyDictionary.bytes());
        int id = (int) adler.getValue();
        deflater.write(first, second, id >> 24, id >> 16, id >> 8, id);
    }

    private int levelHint() {
        if (level == 6) {
            return 2;
        }
        return level > 6 ? 3 : level < 2 ? 0 : 1;
    }

    @Override
    protected void end() {
        if (deflater != null) {
            deflater.end();
            deflater = null;
        }
    }
}
