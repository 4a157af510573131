package org.freshet.handler.codec.spdy;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.internal.CoderPool;

/**
 * Inflates the header blocks of a session. They form one zlib stream that starts with SPDY's dictionary.
 *
 * <p>Even headers that are too large must be inflated, because later blocks refer to them. But if a block inflates to more than
 * {@value #MAX_OVERSIZE} times the size that is kept, the session fails.
 *
 * <p>Holds native memory from the first block to {@link #end}.
 */
final class SpdyHeaderBlockZlibDecoder extends SpdyHeaderBlockRawDecoder {
    static final int MAX_OVERSIZE = 16;

    private static final int PIECE_BYTES = 4096;

    private final long maxBlockBytes;

    /** The inflated size of the current block so far. */
    private long blockBytes;

    /** Null until the first block. */
    private Inflater inflater;

    SpdyHeaderBlockZlibDecoder(SpdyVersion version, int maxHeaderSize) {
        super(version, maxHeaderSize);
        maxBlockBytes = (long) MAX_OVERSIZE * maxHeaderSize;
    }

    @Override
    protected void decode(ChannelBuffer headerBlock, SpdyHeadersFrame frame) throws Exception {
        if (inflater == null) {
            inflater = CoderPool.takeInflater(false);
        }
        inflater.setInput(headerBlock.toByteBuffer());
        headerBlock.skipBytes(headerBlock.readableBytes());
        byte[] piece = new byte[PIECE_BYTES];
        int length;
        while ((length = inflate(piece)) > 0) {
            blockBytes += length;
            if (blockBytes > maxBlockBytes) {
                throw new SpdyProtocolException("header block inflates to more than " + maxBlockBytes + " bytes" + " ("
                        + MAX_OVERSIZE + " times maxHeaderSize)");
            }
            super.decode(ChannelBuffers.wrappedBuffer(piece, 0, length), frame);
        }
    }

    private int inflate(byte[] piece) throws SpdyProtocolException {
        try {
            int length = inflater.inflate(piece);
            if (length == 0 && inflater.needsDictionary()) {
                inflater.setDictionary(SpdyDictionary.bytes());
                length = inflater.inflate(piece);
            }
            if (length == 0 && inflater.finished()) {
                throw new SpdyProtocolException("the compressed stream of header blocks ended before the session");
            }
            return length;
        } catch (DataFormatException e) {
            throw new SpdyProtocolException("invalid compressed data in a header block: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new SpdyProtocolException(
                    "header blocks use an unknown dictionary with the Adler-32 checksum "
                            + Integer.toUnsignedString(inflater.getAdler()),
                    e);
        }
    }

    @Override
    protected void endHeaderBlock(SpdyHeadersFrame frame) {
        blockBytes = 0;
        super.endHeaderBlock(frame);
    }

    @Override
    protected void end() {
        super.end();
        if (inflater != null) {
            CoderPool.give(inflater, false);
            inflater = null;
        }
    }
}
