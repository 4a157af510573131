package org.freshet.handler.codec.spdy;

/** HEADERS: further headers of an open stream. Also the common part of SYN_STREAM and SYN_REPLY. */
public interface SpdyHeadersFrame extends SpdyStreamFrame {
    /** Whether the received header block was invalid. */
    boolean isInvalid();

    void setInvalid();

    /** Whether headers are missing because the received ones exceeded the decoder's limit. */
    boolean isTruncated();

    void setTruncated();

    SpdyHeaders headers();
}
