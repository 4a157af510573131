package org.freshet.handler.codec.spdy;

import java.util.Objects;
import java.util.Set;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** Encodes frames; header blocks must already be encoded. Stateless; any thread. Buffers are big-endian. */
public class SpdyFrameEncoder {
    private static final int PRIORITY_SHIFT = 5;

    private final int version;

    public SpdyFrameEncoder(SpdyVersion spdyVersion) {
        version = Objects.requireNonNull(spdyVersion, "spdyVersion").version();
    }

    /** @param data not copied */
    public ChannelBuffer encodeDataFrame(int streamId, boolean last, ChannelBuffer data) {
        ChannelBuffer head = ChannelBuffers.buffer(SpdyWire.HEAD_BYTES);
        head.writeInt(streamId & ~SpdyWire.CONTROL_BIT);
        writeFlagsAndLength(head, last ? SpdyWire.FLAG_FIN : 0, data.readableBytes());
        return ChannelBuffers.wrappedBuffer(head, data);
    }

    /** @param headerBlock not copied */
    public ChannelBuffer encodeSynStreamFrame(
            int streamId,
            int associatedToStreamId,
            byte priority,
            boolean last,
            boolean unidirectional,
            ChannelBuffer headerBlock) {
        int flags = (last ? SpdyWire.FLAG_FIN : 0) | (unidirectional ? SpdyWire.FLAG_UNIDIRECTIONAL : 0);
        ChannelBuffer frame = control(SpdyWire.SYN_STREAM, flags, 10, headerBlock.readableBytes());
        frame.writeInt(streamId);
        frame.writeInt(associatedToStreamId);
        frame.writeShort((priority & 0xFF) << 8 + PRIORITY_SHIFT);
        return ChannelBuffers.wrappedBuffer(frame, headerBlock);
    }

    /** @param headerBlock not copied */
    public ChannelBuffer encodeSynReplyFrame(int streamId, boolean last, ChannelBuffer headerBlock) {
        return headers(SpdyWire.SYN_REPLY, streamId, last, headerBlock);
    }

    /** @param headerBlock not copied */
    public ChannelBuffer encodeHeadersFrame(int streamId, boolean last, ChannelBuffer headerBlock) {
        return headers(SpdyWire.HEADERS, streamId, last, headerBlock);
    }

    private ChannelBuffer headers(int type, int streamId, boolean last, ChannelBuffer headerBlock) {
        ChannelBuffer frame = control(type, last ? SpdyWire.FLAG_FIN : 0, 4, headerBlock.readableBytes());
        frame.writeInt(streamId);
        return ChannelBuffers.wrappedBuffer(frame, headerBlock);
    }

    public ChannelBuffer encodeRstStreamFrame(int streamId, int statusCode) {
        return twoNumbers(SpdyWire.RST_STREAM, streamId, statusCode);
    }

    public ChannelBuffer encodeSettingsFrame(SpdySettingsFrame spdySettingsFrame) {
        Set<Integer> ids = spdySettingsFrame.getIds();
        int flags = spdySettingsFrame.clearPreviouslyPersistedSettings() ? SpdyWire.FLAG_CLEAR_SETTINGS : 0;
        ChannelBuffer frame = control(SpdyWire.SETTINGS, flags, 4 + ids.size() * SpdyWire.SETTING_BYTES, 0);
        frame.writeInt(ids.size());
        for (int id : ids) {
            frame.writeByte((spdySettingsFrame.isPersistValue(id) ? SpdyWire.FLAG_PERSIST_VALUE : 0)
                    | (spdySettingsFrame.isPersisted(id) ? SpdyWire.FLAG_PERSISTED : 0));
            frame.writeMedium(id);
            frame.writeInt(spdySettingsFrame.getValue(id));
        }
        return frame;
    }

    public ChannelBuffer encodePingFrame(int id) {
        ChannelBuffer frame = control(SpdyWire.PING, 0, 4, 0);
        frame.writeInt(id);
        return frame;
    }

    public ChannelBuffer encodeGoAwayFrame(int lastGoodStreamId, int statusCode) {
        return twoNumbers(SpdyWire.GOAWAY, lastGoodStreamId, statusCode);
    }

    public ChannelBuffer encodeWindowUpdateFrame(int streamId, int deltaWindowSize) {
        return twoNumbers(SpdyWire.WINDOW_UPDATE, streamId, deltaWindowSize);
    }

    private ChannelBuffer twoNumbers(int type, int first, int second) {
        ChannelBuffer frame = control(type, 0, 8, 0);
        frame.writeInt(first);
        frame.writeInt(second);
        return frame;
    }

    private ChannelBuffer control(int type, int flags, int ownBytes, int followingBytes) {
        ChannelBuffer frame = ChannelBuffers.buffer(SpdyWire.HEAD_BYTES + ownBytes);
        frame.writeInt(SpdyWire.CONTROL_BIT | version << 16 | type);
        writeFlagsAndLength(frame, flags, ownBytes + followingBytes);
        return frame;
    }

    private static void writeFlagsAndLength(ChannelBuffer frame, int flags, int length) {
        if (length > SpdyWire.MAX_LENGTH) {
            throw new IllegalArgumentException("frame exceeds " + SpdyWire.MAX_LENGTH + " bytes: " + length);
        }
        frame.writeByte(flags);
        frame.writeMedium(length);
    }
}
