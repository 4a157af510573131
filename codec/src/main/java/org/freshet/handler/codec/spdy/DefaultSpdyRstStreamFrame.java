package org.freshet.handler.codec.spdy;

import java.util.Objects;

/** The standard {@link SpdyRstStreamFrame}. */
public class DefaultSpdyRstStreamFrame extends DefaultSpdyStreamFrame implements SpdyRstStreamFrame {
    private SpdyStreamStatus status;

    /** @throws IllegalArgumentException if {@code statusCode} is 0 */
    public DefaultSpdyRstStreamFrame(int streamId, int statusCode) {
        this(streamId, SpdyStreamStatus.valueOf(statusCode));
    }

    public DefaultSpdyRstStreamFrame(int streamId, SpdyStreamStatus status) {
        super(streamId);
        setStatus(status);
    }

    @Override
    public SpdyStreamStatus getStatus() {
        return status;
    }

    @Override
    public void setStatus(SpdyStreamStatus status) {
        this.status = Objects.requireNonNull(status, "status");
    }

    @Override
    public String toString() {
        return FrameText.of(this)
                .line("Stream-ID", getStreamId())
                .status(status)
                .toString();
    }
}
