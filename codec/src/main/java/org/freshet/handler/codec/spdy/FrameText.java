package org.freshet.handler.codec.spdy;

/** Builds the {@code toString()} of a frame: its class with flags, then a line for each field. */
final class FrameText {
    private final StringBuilder text;
    private boolean inFlags;

    private FrameText(String name) {
        text = new StringBuilder(name);
    }

    static FrameText of(SpdyFrame frame) {
        return new FrameText(frame.getClass().getSimpleName());
    }

    /** Before any line. */
    FrameText flag(String name, boolean value) {
        text.append(inFlags ? "; " : "(").append(name).append(": ").append(value);
        inFlags = true;
        return this;
    }

    FrameText line(String content) {
        endFlags();
        text.append(System.lineSeparator()).append("--> ").append(content);
        return this;
    }

    FrameText line(String name, int value) {
        return line(name + " = " + value);
    }

    FrameText line(boolean present, String name, int value) {
        return present ? line(name, value) : this;
    }

    FrameText status(Object status) {
        return line("Status: " + status);
    }

    /** A line that more follows. */
    StringBuilder heading(String content) {
        return line(content).text;
    }

    private void endFlags() {
        if (inFlags) {
            text.append(')');
            inFlags = false;
        }
    }

    @Override
    public String toString() {
        endFlags();
        return text.toString();
    }
}
