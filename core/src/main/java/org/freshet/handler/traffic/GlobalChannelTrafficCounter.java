package org.freshet.handler.traffic;

import java.util.Objects;
import org.freshet.util.Timer;

/**
 * The counter of a {@link GlobalChannelTrafficShapingHandler}. Each operation also applies to the channels' counters.
 */
public class GlobalChannelTrafficCounter extends TrafficCounter {
    private final GlobalChannelTrafficShapingHandler handler;

    /**
     * @param timer must not be null
     * @param checkInterval milliseconds between two checks; 0 or less means no checks
     */
    public GlobalChannelTrafficCounter(
            GlobalChannelTrafficShapingHandler trafficShapingHandler, Timer timer, String name, long checkInterval) {
        super(trafficShapingHandler, Objects.requireNonNull(timer, "timer"), name, checkInterval);
        this.handler = trafficShapingHandler;
    }

    @Override
    public void configure(long newCheckInterval) {
        super.configure(newCheckInterval);
        handler.channelTrafficCounters().forEach(counter -> counter.configure(newCheckInterval));
    }

    @Override
    void endInterval(long now) {
        super.endInterval(now);
        handler.counters().forEach(counter -> counter.endInterval(now));
    }

    @Override
    public void resetCumulativeTime() {
        handler.channelTrafficCounters().forEach(TrafficCounter::resetCumulativeTime);
        super.resetCumulativeTime();
    }
}
