package org.freshet.handler.codec.http2;

/**
 * How urgent an answer is (RFC 9218). Immutable.
 *
 * @param urgency 0 (the most urgent) to 7; 3 if not stated
 * @param isIncremental whether the answer is useful in pieces, so that answers of the same urgency take turns; false if a
 * client states a priority without {@code i}
 */
public record Http2Priority(int urgency, boolean isIncremental) {
    /**
     * The priority of a request that states none: urgency 3, incremental. Such a request must not wait until a long answer to
     * another one has ended.
     */
    public static final Http2Priority DEFAULT = new Http2Priority(3, true);

    /** @throws IllegalArgumentException if the urgency is not 0 to 7 */
    public Http2Priority {
        if (urgency < 0 || urgency > 7) {
            throw new IllegalArgumentException("urgency not in 0..7: " + urgency);
        }
    }

    /** Returns the value for a Priority field. */
    String toField() {
        return "u=" + urgency + (isIncremental ? ", i" : "");
    }

    /**
     * Parses the value of a Priority field. Parts that are not understood have no effect, as RFC 9218 4 demands.
     *
     * @param value for example {@code u=1, i}; null returns {@link #DEFAULT}
     */
    public static Http2Priority parse(String value) {
        if (value == null) {
            return DEFAULT;
        }
        int urgency = DEFAULT.urgency;
        boolean isIncremental = false;
        for (String member : value.split(",")) {
            String parameter = member.strip();
            if (parameter.length() == 3 && parameter.startsWith("u=")) {
                int digit = parameter.charAt(2) - '0';
                urgency = digit >= 0 && digit <= 7 ? digit : urgency;
            } else if (parameter.equals("i") || parameter.equals("i=?1")) {
                isIncremental = true;
            } else if (parameter.equals("i=?0")) {
                isIncremental = false;
            }
        }
        return new Http2Priority(urgency, isIncremental);
    }
}
