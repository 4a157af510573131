package org.freshet.handler.codec.spdy;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.HeldSize;

/** The standard {@link SpdyDataFrame}. */
@SuppressWarnings("exports") // HeldSize is internal to Freshet's modules
public class DefaultSpdyDataFrame extends DefaultSpdyStreamFrame implements SpdyDataFrame, HeldSize {
    private ChannelBuffer data = ChannelBuffers.EMPTY_BUFFER;

    /** Without data. */
    public DefaultSpdyDataFrame(int streamId) {
        super(streamId);
    }

    @Override
    public ChannelBuffer getData() {
        return data;
    }

    @Override
    public void setData(ChannelBuffer data) {
        if (data != null && data.readableBytes() > SpdyWire.MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "data frame exceeds " + SpdyWire.MAX_LENGTH + " bytes: " + data.readableBytes());
        }
        this.data = data == null ? ChannelBuffers.EMPTY_BUFFER : data;
    }

    @Override
    public String toString() {
        return FrameText.of(this)
                .flag("last", isLast())
                .line("Stream-ID", getStreamId())
                .line("Size", data.readableBytes())
                .toString();
    }

    /** Not for users: the content's bytes while the message waits to be sent. */
    @Override
    public int heldBytes() {
        return getData().readableBytes();
    }
}
