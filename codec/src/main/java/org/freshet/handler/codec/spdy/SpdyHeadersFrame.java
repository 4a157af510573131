package org.freshet.handler.codec.spdy;

/** HEADERS: headers of a stream that do not open it; and what SYN_STREAM and SYN_REPLY have in common. */
public interface SpdyHeadersFrame extends SpdyStreamFrame {
    /** Whether the received header block broke the rules of SPDY. */
    boolean isInvalid();

    void setInvalid();

    /** Whether headers are missing because the received ones were larger than the decoder accepts. */
    boolean isTruncated();

    void setTruncated();

    SpdyHeaders headers();
}
