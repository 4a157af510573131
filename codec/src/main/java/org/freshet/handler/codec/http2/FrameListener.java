package org.freshet.handler.codec.http2;

import org.freshet.buffer.ChannelBuffer;

/** Receives the frames found by a {@link FrameReader}: complete, well-formed, in order. Arrays are valid during the call only. */
interface FrameListener {
    /**
     * A piece of a DATA frame.
     *
     * @param content part of the buffer that was read, not copied; may be empty
     * @param flowControlled the octets that count for flow control, including padding
     * @param endsStream whether this is the frame's last piece, and the frame ends the stream
     */
    void onData(int streamId, ChannelBuffer content, int flowControlled, boolean endsStream) throws Http2Exception;

    /**
     * Whether the content of a stream's DATA frames is one sequence of octets, so that frames may be merged. Called at a point
     * where {@link #onData} could be called.
     */
    boolean mayMergeData(int streamId);

    /** A DATA frame begins. Its whole length counts for flow control before any of it has arrived. */
    void onDataBegins(int streamId, int length, boolean endsStream) throws Http2Exception;

    /** A complete field block from HEADERS and CONTINUATION frames. */
    void onHeaders(int streamId, byte[] block, int offset, int length, boolean endsStream) throws Http2Exception;

    void onReset(int streamId, Http2Error error) throws Http2Exception;

    /** @param settings pairs of 2 and 4 octets */
    void onSettings(byte[] settings, int offset, int length) throws Http2Exception;

    void onSettingsAck() throws Http2Exception;

    void onPing(long data) throws Http2Exception;

    void onPingAck(long data) throws Http2Exception;

    void onGoAway(int lastStreamId, Http2Error error, String debugData) throws Http2Exception;

    /** @param increment 1 or more */
    void onWindowUpdate(int streamId, int increment) throws Http2Exception;

    /** A PRIORITY frame, which has no effect (RFC 9113 5.3.2). */
    void onPriority(int streamId) throws Http2Exception;

    /** @param priority the value of a Priority field, RFC 9218 */
    void onPriorityUpdate(int streamId, String priority) throws Http2Exception;
}
