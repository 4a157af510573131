package org.freshet.handler.traffic;

import java.util.concurrent.TimeUnit;

/**
 * Decides when the shared rate and the channels' own rates let writes pass. Guarded by the lock of {@link WriteShaper};
 * allocates nothing.
 */
final class WriteRates {
    /** Not worth waiting for: a write due within this time is sent now, and the next one waits longer. */
    static final long MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final AbstractTrafficShapingHandler handler;

    /** {@link ShapedChannel#served} of the channel served last; the initial value for a channel that starts waiting. */
    private double servedLast;

    WriteRates(AbstractTrafficShapingHandler handler) {
        this.handler = handler;
    }

    boolean isSharedFree(ShaperLimits limits, long nowNanos) {
        return sharedWaitNanos(limits, nowNanos) < MIN_WAIT_NANOS;
    }

    boolean isOwnFree(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        return ownWaitNanos(limits, channel, nowNanos) < MIN_WAIT_NANOS;
    }

    long sharedWaitNanos(ShaperLimits limits, long nowNanos) {
        return !limits.isShared() ? 0 : handler.trafficCounter.writePace.waitNanos(nowNanos);
    }

    long ownWaitNanos(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        return !limits.isOwn() ? 0 : channel.counter.writePace.waitNanos(nowNanos);
    }

    void occupy(ShaperLimits limits, ShapedChannel channel, long bytes, long nowNanos, long creditNanos) {
        if (limits.isShared()) {
            handler.trafficCounter.writePace.occupy(
                    bytes, limits.bytesPerSecond(), limits.maxNanos(), nowNanos, creditNanos);
        }
        if (limits.isOwn()) {
            channel.counter.writePace.occupy(
                    bytes, limits.channelBytesPerSecond(), limits.maxNanos(), nowNanos, creditNanos);
        }
        servedLast = Math.max(channel.served, servedLast);
        channel.served = servedLast + bytes * handler.weight(channel);
    }

    /** Returns how long a new write of this channel would wait; an estimate if channels share a rate. */
    long waitNanos(ShaperLimits limits, ShapedChannel channel, long totalBytes, int readyChannels, long nowNanos) {
        long shared = 0;
        if (limits.isShared()) {
            long before = Math.min(totalBytes, channel.waitingBytes * Math.max(1, readyChannels));
            shared = sharedWaitNanos(limits, nowNanos) + Pace.nanosOf(before, limits.bytesPerSecond());
        }
        long own = 0;
        if (limits.isOwn()) {
            own = ownWaitNanos(limits, channel, nowNanos)
                    + Pace.nanosOf(channel.waitingBytes, limits.channelBytesPerSecond());
        }
        return Math.max(shared, own);
    }
}
