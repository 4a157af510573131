package org.freshet.handler.codec.internal;

/**
 * How much an {@link InflatingStream} may put out. Immutable.
 *
 * @param maxOutputBytes of the whole stream, 1 or more; {@link Long#MAX_VALUE} for no limit
 * @param maxRatio how many bytes may come out for each byte that goes in, 1 or more; {@link Long#MAX_VALUE} for no limit.
 *     Deflate reaches 1032 at most, text hardly 20.
 * @param ratioFreeBytes output up to which the ratio is not looked at, 0 or more: a short run of zeros is no attack
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

    /** Limits the output alone. */
    public static InflateLimits ofOutput(long maxOutputBytes) {
        return new InflateLimits(maxOutputBytes, Long.MAX_VALUE, 0);
    }

    boolean limitsRatio() {
        return maxRatio != Long.MAX_VALUE;
    }

    /** Whether so much output of so much input is too much. */
    boolean exceedsRatio(long outputBytes, long inputBytes) {
        return outputBytes > ratioFreeBytes && outputBytes / maxRatio > inputBytes;
    }
}
