package org.freshet.handler.codec.spdy;

import java.util.Objects;

/** The standard {@link SpdyGoAwayFrame}. */
public class DefaultSpdyGoAwayFrame implements SpdyGoAwayFrame {
    private int lastGoodStreamId;
    private SpdySessionStatus status;

    /** With {@link SpdySessionStatus#OK}. */
    public DefaultSpdyGoAwayFrame(int lastGoodStreamId) {
        this(lastGoodStreamId, SpdySessionStatus.OK);
    }

    public DefaultSpdyGoAwayFrame(int lastGoodStreamId, int statusCode) {
        this(lastGoodStreamId, SpdySessionStatus.valueOf(statusCode));
    }

    public DefaultSpdyGoAwayFrame(int lastGoodStreamId, SpdySessionStatus status) {
        setLastGoodStreamId(lastGoodStreamId);
        setStatus(status);
    }

    @Override
    public int getLastGoodStreamId() {
        return lastGoodStreamId;
    }

    @Override
    public void setLastGoodStreamId(int lastGoodStreamId) {
        if (lastGoodStreamId < 0) {
            throw new IllegalArgumentException("lastGoodStreamId < 0: " + lastGoodStreamId);
        }
        this.lastGoodStreamId = lastGoodStreamId;
    }

    @Override
    public SpdySessionStatus getStatus() {
        return status;
    }

    @Override
    public void setStatus(SpdySessionStatus status) {
        this.status = Objects.requireNonNull(status, "status");
    }

    @Override
    public String toString() {
        return FrameText.of(this)
                .line("Last-good-stream-ID", lastGoodStreamId)
                .status(status)
                .toString();
    }
}
