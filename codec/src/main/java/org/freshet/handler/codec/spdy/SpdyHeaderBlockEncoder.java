package org.freshet.handler.codec.spdy;

import org.freshet.buffer.ChannelBuffer;

/**
 * Encodes the header blocks of one direction of a session, in the order in which they are sent. Belongs to the channel's I/O
 * thread.
 */
public abstract class SpdyHeaderBlockEncoder {
    protected SpdyHeaderBlockEncoder() {}

    /** @return the complete block; empty if the frame has no headers */
    protected abstract ChannelBuffer encode(SpdyHeadersFrame frame) throws Exception;

    /** Ends the session. No other method is called afterwards. */
    protected abstract void end();
}
