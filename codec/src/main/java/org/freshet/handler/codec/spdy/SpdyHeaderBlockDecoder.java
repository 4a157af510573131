package org.freshet.handler.codec.spdy;

import org.freshet.buffer.ChannelBuffer;

/**
 * Decodes the header blocks of one direction of a session, one after the other. Belongs to the thread that delivers upstream
 * events.
 */
public abstract class SpdyHeaderBlockDecoder {
    protected SpdyHeaderBlockDecoder() {}

    /**
     * Decodes a part of a block and adds what it holds to the frame, which is marked if the headers are too large or against
     * the rules.
     *
     * @param headerBlock read to its end; not kept
     * @throws Exception if no further block can be decoded
     */
    protected abstract void decode(ChannelBuffer headerBlock, SpdyHeadersFrame frame) throws Exception;

    /** The block ends; a frame whose block is not complete is marked as invalid. */
    protected abstract void endHeaderBlock(SpdyHeadersFrame frame);

    /** The session ends; nothing is called afterwards. */
    protected abstract void end();
}
