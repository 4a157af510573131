package org.freshet.handler.codec.spdy;

/** The standard {@link SpdySynStreamFrame}. */
public class DefaultSpdySynStreamFrame extends DefaultSpdyHeadersFrame implements SpdySynStreamFrame {
    private static final int MAX_PRIORITY = 7;

    private int associatedToStreamId;
    private byte priority;
    private boolean unidirectional;

    /**
     * Without headers.
     *
     * @param associatedToStreamId 0 if the stream is associated to no other
     * @param priority 0 (most urgent) to 7
     */
    public DefaultSpdySynStreamFrame(int streamId, int associatedToStreamId, byte priority) {
        super(streamId);
        setAssociatedToStreamId(associatedToStreamId);
        setPriority(priority);
    }

    @Override
    public int getAssociatedToStreamId() {
        return associatedToStreamId;
    }

    @Override
    public void setAssociatedToStreamId(int associatedToStreamId) {
        if (associatedToStreamId < 0) {
            throw new IllegalArgumentException("associatedToStreamId < 0: " + associatedToStreamId);
        }
        this.associatedToStreamId = associatedToStreamId;
    }

    @Override
    public byte getPriority() {
        return priority;
    }

    @Override
    public void setPriority(byte priority) {
        if (priority < 0 || priority > MAX_PRIORITY) {
            throw new IllegalArgumentException("priority not in 0.." + MAX_PRIORITY + ": " + priority);
        }
        this.priority = priority;
    }

    @Override
    public boolean isUnidirectional() {
        return unidirectional;
    }

    @Override
    public void setUnidirectional(boolean unidirectional) {
        this.unidirectional = unidirectional;
    }

    @Override
    public String toString() {
        return withHeaders(FrameText.of(this)
                .flag("last", isLast())
                .flag("unidirectional", unidirectional)
                .line("Stream-ID", getStreamId())
                .line(associatedToStreamId != 0, "Associated-To-Stream-ID", associatedToStreamId)
                .line("Priority", priority));
    }
}
