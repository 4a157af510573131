package org.freshet.handler.codec.spdy;

/** The standard {@link SpdyPingFrame}. */
public class DefaultSpdyPingFrame implements SpdyPingFrame {
    private int id;

    public DefaultSpdyPingFrame(int id) {
        this.id = id;
    }

    @Override
    public int getId() {
        return id;
    }

    @Override
    public void setId(int id) {
        this.id = id;
    }

    @Override
    public String toString() {
        return FrameText.of(this).line("ID", id).toString();
    }
}
