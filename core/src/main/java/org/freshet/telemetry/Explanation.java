package org.freshet.telemetry;

import java.util.Objects;

/** Takes what an {@link Explainable} has to say: a line for each pair. Used by one thread, during the call. */
public final class Explanation {
    private final StringBuilder text;
    private final String indent;

    Explanation(StringBuilder text, String indent) {
        this.text = text;
        this.indent = indent;
    }

    /**
     * Adds a line.
     *
     * @param what a few words
     * @param value its text is added, as far as the first line goes; may be null
     * @return this
     */
    public Explanation put(String what, Object value) {
        Objects.requireNonNull(what, "what");
        String line = String.valueOf(value).lines().findFirst().orElse("");
        text.append(indent).append(what).append(": ").append(line).append('\n');
        return this;
    }
}
