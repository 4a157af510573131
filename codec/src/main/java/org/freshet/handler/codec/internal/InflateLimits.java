package org.freshet.handler.codec.internal;

/**
 * Limits on the output of an {@link InflatingStream}. Immutable.
 *
 * @param maxOutputBytes for the whole stream, 1 or more; {@link Long#MAX_VALUE} for no limit
 * @param maxRatio output bytes per input byte, 1 or more; {@link Long#MAX_VALUE} for no limit. Deflate reaches 1032 at
 *     most, text hardly 20.
 * @param ratioFreeBytes output up to which the ratio is not checked, 0 or more: a short run of zeros is not an attack
 */
public record InflateLimits(long maxOutputBytes, long maxRatio, long ratioFreeBytes) {
    public InflateLimits {
        if (maxOutputBytes <= 0) {
            throw new IllegalArgumentException("maxOutputBytes <= 0: " + maxOutputBytes);
        }
        if (maxRatio <= 0) {
            throw new IllegalArgumentException("maxRatio <= 0: " + maxRatio);
        }
        if (ratioFreeBytes < 0) {
            throw new IllegalArgumentException("ratioFreeBytes < 0: " + ratioFreeBytes);
        }
    }

    /** Limits only the output. */
    public static InflateLimits ofOutput(long maxOutputBytes) {
        return new InflateLimits(maxOutputBytes, Long.MAX_VALUE, 0);
    }

    boolean limitsRatio() {
        return maxRatio != Long.MAX_VALUE;
    }

    /** Returns whether the ratio of output to input exceeds the limit. */
    boolean exceedsRatio(long outputBytes, long inputBytes) {
        return outputBytes > ratioFreeBytes && outputBytes / maxRatio > inputBytes;
    }
}
