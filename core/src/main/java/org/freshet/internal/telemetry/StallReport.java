package org.freshet.internal.telemetry;

import org.freshet.channel.Channel;

/**
 * One look at a loop that does not come on.
 *
 * @param channel null if the loop runs a task
 * @param channels all that the loop has
 * @param nanos for how long, at least
 * @param isOver whether the loop has come on since; the rest is what was seen before
 */
public record StallReport(
        String loopName, Thread thread, Channel channel, Culprit culprit, int channels, long nanos, boolean isOver) {
    StallReport over(long totalNanos) {
        return new StallReport(loopName, thread, channel, culprit, channels, totalNanos, true);
    }

    StallReport after(long totalNanos) {
        return new StallReport(loopName, thread, channel, culprit, channels, totalNanos, false);
    }
}
