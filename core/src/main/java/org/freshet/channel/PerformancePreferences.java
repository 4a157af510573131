package org.freshet.channel;

/**
 * The relative weights of three goals for a connection. Only their order counts: {@code (1, 2, 0)} asks for low latency first, then short
 * connection time, and bandwidth last.
 *
 * @param connectionTime weight of a short time to connect
 * @param latency weight of low latency
 * @param bandwidth weight of high bandwidth
 * @see ChannelOption#PERFORMANCE_PREFERENCES
 */
public record PerformancePreferences(int connectionTime, int latency, int bandwidth) {
    /** Accepts an instance or its text; returns null for anything else. */
    static PerformancePreferences from(Object value) {
        if (value instanceof PerformancePreferences preferences) {
            return preferences;
        }
        String[] weights = value instanceof CharSequence text ? text.toString().split(",", -1) : new String[0];
        if (weights.length != 3) {
            return null;
        }
        try {
            return new PerformancePreferences(weight(weights[0]), weight(weights[1]), weight(weights[2]));
        } catch (NumberFormatException e) {
            return null; // the option's message says what is allowed
        }
    }

    /** The three weights as the option's text form: {@code "1,2,0"}. */
    @Override
    public String toString() {
        return connectionTime + "," + latency + "," + bandwidth;
    }

    private static int weight(String text) {
        return Integer.parseInt(text.trim());
    }
}
