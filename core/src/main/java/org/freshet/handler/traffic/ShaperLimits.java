package org.freshet.handler.traffic;

import java.util.concurrent.TimeUnit;

/**
 * A snapshot of a shaping handler's settings, read before a lock is taken because users may override the getters.
 *
 * @param version of the settings, counted by {@link WriteShaper}
 * @param bytesPerSecond of all channels; 0 or less means no limit
 * @param channelBytesPerSecond of each channel; 0 or less means no limit
 * @param maxNanos the longest time that one message may delay the next
 */
record ShaperLimits(
        int version,
        long bytesPerSecond,
        long channelBytesPerSecond,
        long maxNanos,
        long maxWriteSize,
        long maxWriteDelayMillis,
        long maxTotalWriteSize) {
    static final ShaperLimits NONE =
            new ShaperLimits(0, 0, 0, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    static ShaperLimits of(AbstractTrafficShapingHandler handler, int version) {
        return new ShaperLimits(
                version,
                handler.getWriteLimit(),
                handler.channelWriteLimit(),
                TimeUnit.MILLISECONDS.toNanos(handler.getMaxTimeWait()),
                handler.getMaxWriteSize(),
                handler.getMaxWriteDelay(),
                handler.maxTotalWriteSize());
    }

    ShaperLimits withVersion(int other) {
        return new ShaperLimits(
                other,
                bytesPerSecond,
                channelBytesPerSecond,
                maxNanos,
                maxWriteSize,
                maxWriteDelayMillis,
                maxTotalWriteSize);
    }

    boolean isShared() {
        return bytesPerSecond > 0;
    }

    boolean isOwn() {
        return channelBytesPerSecond > 0;
    }
}
