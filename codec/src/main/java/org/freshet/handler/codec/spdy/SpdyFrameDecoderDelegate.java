package org.freshet.handler.codec.spdy;

import org.freshet.buffer.ChannelBuffer;

/**
 * Receives the output of a {@link SpdyFrameDecoder}, on the thread that calls the decoder.
 *
 * <p>After a frame with headers (SYN_STREAM, SYN_REPLY, HEADERS), {@link #readHeaderBlock} is called for each part of its block
 * as it arrives, then {@link #readHeaderBlockEnd} once. After SETTINGS, {@link #readSetting} is called for each entry, then
 * {@link #readSettingsEnd} once. In between, only {@link #readFrameError} may be called.
 */
public interface SpdyFrameDecoderDelegate {
    /**
     * @param last whether this half-closes the peer's side of the stream
     * @param data all data of the frame, or as much as the decoder's maximum; belongs to the receiver
     */
    void readDataFrame(int streamId, boolean last, ChannelBuffer data);

    /** @param associatedToStreamId 0 for none */
    void readSynStreamFrame(
            int streamId, int associatedToStreamId, byte priority, boolean last, boolean unidirectional);

    void readSynReplyFrame(int streamId, boolean last);

    void readRstStreamFrame(int streamId, int statusCode);

    void readSettingsFrame(boolean clearPersisted);

    void readSetting(int id, int value, boolean persistValue, boolean persisted);

    void readSettingsEnd();

    void readPingFrame(int id);

    void readGoAwayFrame(int lastGoodStreamId, int statusCode);

    void readHeadersFrame(int streamId, boolean last);

    /** @param streamId 0 for the session */
    void readWindowUpdateFrame(int streamId, int deltaWindowSize);

    /** @param headerBlock read it to its end, and don't keep it */
    void readHeaderBlock(ChannelBuffer headerBlock);

    void readHeaderBlockEnd();

    /** The input is not valid SPDY/3.1. Nothing after it is decoded. */
    void readFrameError(String message);
}
