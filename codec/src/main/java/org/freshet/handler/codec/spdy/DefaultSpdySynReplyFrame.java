package org.freshet.handler.codec.spdy;

/** The standard {@link SpdySynReplyFrame}. */
public class DefaultSpdySynReplyFrame extends DefaultSpdyHeadersFrame implements SpdySynReplyFrame {
    /** Without headers. */
    public DefaultSpdySynReplyFrame(int streamId) {
        super(streamId);
    }

    @Override
    public String toString() {
        return super.toString();
    }
}
