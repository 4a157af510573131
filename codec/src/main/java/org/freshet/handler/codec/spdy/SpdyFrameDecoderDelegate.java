package org.freshet.handler.codec.spdy;

import org.freshet.buffer.ChannelBuffer;

/**
 * Receives what {@link SpdyFrameDecoder} decodes, on the thread that calls it.
 *
 * <p>After a frame with headers (SYN_STREAM, SYN_REPLY, HEADERS), {@link #readHeaderBlock} is called for each part of its block
 * as it comes, and {@link #readHeaderBlockEnd} once; after SETTINGS, {@link #readSetting} for each entry and {@link
 * #readSettingsEnd} once. Nothing else is called in between but {@link #readFrameError}.
 */
public interface SpdyFrameDecoderDelegate {
    /**
     * @param last whether the peer half-closes the stream with this
     * @param data all data of the frame, or as much as the decoder's maximum; the receiver's own
     */
    void readDataFrame(int streamId, boolean last, ChannelBuffer data);

    /** @param associatedToStreamId 0 if there is none */
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

    /** @param headerBlock must be read to its end, and not be kept */
    void readHeaderBlock(ChannelBuffer headerBlock);

    void readHeaderBlockEnd();

    /** What was received is not SPDY/3.1. Nothing after it is decoded. */
    void readFrameError(String message);
}
