package org.freshet.handler.codec.spdy;

/** SYN_STREAM: opens a stream. */
public interface SpdySynStreamFrame extends SpdyHeadersFrame {
    /** The stream for which this one is pushed; 0 for none. */
    int getAssociatedToStreamId();

    /** @throws IllegalArgumentException if it is negative */
    void setAssociatedToStreamId(int associatedToStreamId);

    /** 0 (most urgent) to 7. */
    byte getPriority();

    /** @throws IllegalArgumentException if it is not in 0..7 */
    void setPriority(byte priority);

    /** Whether the stream begins half-closed: the receiver sends nothing on it. */
    boolean isUnidirectional();

    void setUnidirectional(boolean unidirectional);
}
