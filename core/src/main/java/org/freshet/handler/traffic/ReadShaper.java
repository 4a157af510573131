package org.freshet.handler.traffic;

import java.util.concurrent.TimeUnit;

/** Pauses reading of channels for as long as the messages received should have taken. Any thread may call it. */
final class ReadShaper {
    private final AbstractTrafficShapingHandler handler;

    /** No channel pauses any more. */
    private volatile boolean released;

    ReadShaper(AbstractTrafficShapingHandler handler) {
        this.handler = handler;
    }

    /**
     * Called when something was received, before it is passed on.
     *
     * @param limit bytes per second of all channels; 0 or less means no limit
     */
    void onRead(ShapedChannel channel, long bytes, long limit) {
        long now = handler.timer().nanoTime();
        long nowMillis = TimeUnit.NANOSECONDS.toMillis(now);
        long credit = channel.pause.creditNanos();
        long wait = occupy(handler.trafficCounter, limit, bytes, now, credit);
        if (channel.counter != null) {
            wait = Math.max(wait, occupy(channel.counter, handler.channelReadLimit(), bytes, now, credit));
        }
        long waitMillis = TimeUnit.NANOSECONDS.toMillis(wait);
        long checkedMillis = handler.checkWaitReadTime(channel.ctx, waitMillis, nowMillis);
        if (checkedMillis != waitMillis) {
            wait = TimeUnit.MILLISECONDS.toNanos(checkedMillis);
        }
        if (wait >= WriteRates.MIN_WAIT_NANOS && !released) {
            channel.pause.pause(wait);
            if (released) {
                channel.pause.cancel(); // the release may have run before the pause began
            }
        }
        handler.informReadOperation(channel.ctx, nowMillis);
    }

    /** Returns how long reading should pause. */
    private long occupy(TrafficCounter counter, long limit, long bytes, long nowNanos, long creditNanos) {
        counter.countRead(bytes);
        if (limit <= 0) {
            return 0;
        }
        long maxNanos = TimeUnit.MILLISECONDS.toNanos(handler.maxTime);
        return counter.readPace.occupy(bytes, limit, maxNanos, nowNanos, creditNanos) - nowNanos;
    }

    /** From now on no pause begins. The caller must end those that have begun. */
    void release() {
        released = true;
    }
}
