package org.freshet.handler.codec.spdy;

/** SYN_STREAM: opens a stream. */
public interface SpdySynStreamFrame extends SpdyHeadersFrame {
    /** The stream that this one is pushed for; 0 if there is none. */
    int getAssociatedToStreamId();

    /** @throws IllegalArgumentException if it is negative */
    void setAssociatedToStreamId(int associatedToStreamId);

    /** 0 (most urgent) to 7. */
    byte getPriority();

    /** @throws IllegalArgumentException if it is not in 0..7 */
    void setPriority(byte priority);

    /** Whether the receiver sends nothing on this stream: it begins half-closed. */
    boolean isUnidirectional();

    void setUnidirectional(boolean unidirectional);
}
