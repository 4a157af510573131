package org.freshet.handler.codec.spdy;

import org.freshet.buffer.ChannelBuffer;

/**
 * Decodes the header blocks of one direction of a session, one after another. Belongs to the thread that delivers upstream
 * events.
 */
public abstract class SpdyHeaderBlockDecoder {
    protected SpdyHeaderBlockDecoder() {}

    /**
     * Decodes a part of a block and adds its headers to the frame. If they are too large or invalid, marks the frame.
     *
     * @param headerBlock read to its end; not kept
     * @throws Exception if no further block can be decoded
     */
    protected abstract void decode(ChannelBuffer headerBlock, SpdyHeadersFrame frame) throws Exception;

    /** Ends the block. A frame with an incomplete block is marked as invalid. */
    protected abstract void endHeaderBlock(SpdyHeadersFrame frame);

    /** Ends the session. No other method is called afterwards. */
    protected abstract void end();
}
