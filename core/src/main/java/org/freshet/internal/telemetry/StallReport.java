package org.freshet.internal.telemetry;

import org.freshet.channel.Channel;

/**
 * A snapshot of a loop that makes no progress.
 *
 * @param channel null if the loop runs a task
 * @param stack the stack of the loop's thread, newest frame first
 * @param code the position in the handler, listener or task that holds the loop; null if the loop is in its own code
 * @param channels how many channels the loop has
 * @param nanos how long the loop has been held, at least
 * @param isOver whether the loop has made progress since; the other components are from before that
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
    /** Returns the name of the class whose code holds the loop; null if the loop is in its own code. */
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
