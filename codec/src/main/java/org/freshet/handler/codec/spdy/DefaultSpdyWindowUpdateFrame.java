package org.freshet.handler.codec.spdy;

/** The standard {@link SpdyWindowUpdateFrame}. */
public class DefaultSpdyWindowUpdateFrame implements SpdyWindowUpdateFrame {
    private int streamId;
    private int deltaWindowSize;

    /** @param streamId 0 for the session */
    public DefaultSpdyWindowUpdateFrame(int streamId, int deltaWindowSize) {
        setStreamId(streamId);
        setDeltaWindowSize(deltaWindowSize);
    }

    @Override
    public int getStreamId() {
        return streamId;
    }

    @Override
    public void setStreamId(int streamId) {
        if (streamId < 0) {
            throw new IllegalArgumentException("streamId < 0: " + streamId);
        }
        this.streamId = streamId;
    }

    @Override
    public int getDeltaWindowSize() {
        return deltaWindowSize;
    }

    @Override
    public void setDeltaWindowSize(int deltaWindowSize) {
        if (deltaWindowSize <= 0) {
            throw new IllegalArgumentException("deltaWindowSize <= 0: " + deltaWindowSize);
        }
        this.deltaWindowSize = deltaWindowSize;
    }

    @Override
    public String toString() {
        return FrameText.of(this)
                .line("Stream-ID", streamId)
                .line("Delta-Window-Size", deltaWindowSize)
                .toString();
    }
}
