package org.freshet.handler.codec.spdy;

import java.util.Map;
import org.freshet.internal.HeldSize;

/** The standard {@link SpdyHeadersFrame}. */
@SuppressWarnings("exports") // HeldSize is internal to Freshet's modules
public class DefaultSpdyHeadersFrame extends DefaultSpdyStreamFrame implements SpdyHeadersFrame, HeldSize {
    private final DefaultSpdyHeaders headers = new DefaultSpdyHeaders();
    private boolean invalid;
    private boolean truncated;

    /** Without headers. */
    public DefaultSpdyHeadersFrame(int streamId) {
        super(streamId);
    }

    @Override
    public boolean isInvalid() {
        return invalid;
    }

    @Override
    public void setInvalid() {
        invalid = true;
    }

    @Override
    public boolean isTruncated() {
        return truncated;
    }

    @Override
    public void setTruncated() {
        truncated = true;
    }

    @Override
    public SpdyHeaders headers() {
        return headers;
    }

    /** Not for users: the headers' bytes while the frame waits to be sent. */
    @Override
    public int heldBytes() {
        return (int) Math.min(headers.length(), Integer.MAX_VALUE);
    }

    @Override
    public String toString() {
        return withHeaders(FrameText.of(this).flag("last", isLast()).line("Stream-ID", getStreamId()));
    }

    final String withHeaders(FrameText text) {
        StringBuilder out = text.heading("Headers:");
        appendHeaders(out);
        return out.toString();
    }

    /** Appends one line per header to {@link #toString()}, each starting with a line break. */
    protected void appendHeaders(StringBuilder buf) {
        for (Map.Entry<String, String> header : headers) {
            buf.append(System.lineSeparator()).append("    ").append(header.getKey());
            buf.append(": ").append(header.getValue());
        }
    }
}
