package org.freshet.internal.telemetry;

import org.freshet.channel.Channel;

/**
 * A snapshot of a loop that makes no progress.
 *
 * @param channel null if the loop runs a task
 * @param stack of the loop's thread, newest first
 * @param code where the handler, listener or task is that holds the loop; null if none does
 * @param channels all that the loop has
 * @param nanos for how long, at least
 * @param isOver whether the loop has made progress since; the rest is what was seen before
 */
public record StallReport(
        String loopName,
        Thread thread,
        Channel channel,
        StackTraceElement[] stack,
        StackTraceElement code,
        int channels,
        long nanos,
        boolean isOver) {
    /** The name of the class whose code holds the loop; null if there is none. */
    public String type() {
        return code == null ? null : code.getClassName();
    }

    /** {@code com.example.OrderHandler.messageReceived(OrderHandler.java:42)}, or {@code its own code}. */
    public String where() {
        return code == null
                ? "its own code"
                : code.getClassName()
                        + '.'
                        + code.getMethodName()
                        + '('
                        + code.getFileName()
                        + ':'
                        + code.getLineNumber()
                        + ')';
    }

    StallReport over(long totalNanos) {
        return new StallReport(loopName, thread, channel, stack, code, channels, totalNanos, true);
    }

    StallReport after(long totalNanos) {
        return new StallReport(loopName, thread, channel, stack, code, channels, totalNanos, false);
    }
}
