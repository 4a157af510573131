package org.freshet.handler.codec.spdy;

/** Builds the {@code toString()} of a frame: its class with flags, then one line per field. */
final class FrameText {
    private final StringBuilder text;
    private boolean inFlags;

    private FrameText(String name) {
        text = new StringBuilder(name);
    }

    static FrameText of(SpdyFrame frame) {
        return new FrameText(frame.getClass().getSimpleName());
    }

    /** Call this before adding lines. */
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

    /** Adds a line, and returns the builder for more. */
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
