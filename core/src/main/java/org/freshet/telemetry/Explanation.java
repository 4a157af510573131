package org.freshet.telemetry;

import java.util.Objects;

/** Collects the lines of one {@link Explainable}, one per pair. Used by one thread, during the call. */
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
     * @param what a label of a few words
     * @param value the first line of its string is added; may be null
     * @return this
     */
    public Explanation put(String what, Object value) {
        Objects.requireNonNull(what, "what");
        String line = String.valueOf(value).lines().findFirst().orElse("");
        text.append(indent).append(what).append(": ").append(line).append('\n');
        return this;
    }
}
