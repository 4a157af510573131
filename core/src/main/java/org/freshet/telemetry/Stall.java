package org.freshet.telemetry;

import org.freshet.channel.Channel;
import org.freshet.internal.telemetry.StallReport;

/**
 * An I/O loop that has been held by one handler, listener or task for longer than {@link StallWatch} allows. Immutable.
 */
public final class Stall {
    private final StallReport report;

    Stall(StallReport report) {
        this.report = report;
    }

    /** The name of the loop's thread. */
    public String loopName() {
        return report.loopName();
    }

    /** The loop's thread. */
    public Thread thread() {
        return report.thread();
    }

    /** The channel that the loop is serving; null if it is running a task or the channel is no longer known. */
    public Channel channel() {
        return report.channel();
    }

    /**
     * The class whose code holds the loop: a handler, listener or task, or the superclass that declares the method.
     * Null if the loop is in Freshet's own code.
     */
    public String handlerType() {
        return report.type();
    }

    /**
     * The line of that class at which the thread was:
     * {@code com.example.OrderHandler.messageReceived(OrderHandler.java:42)}. It is {@code its own code} if the type is
     * null.
     */
    public String location() {
        return report.where();
    }

    /** Nanoseconds the loop has been held so far, at least. */
    public long nanos() {
        return report.nanos();
    }

    /** The thread's stack when the stall was found, newest frame first; a copy. */
    public StackTraceElement[] stackTrace() {
        return report.stack().clone();
    }

    /** How many other channels the loop has. */
    public int waitingChannels() {
        return Math.max(0, report.channels() - (report.channel() == null ? 0 : 1));
    }

    /** Whether the loop has made progress since. */
    public boolean hasEnded() {
        return report.isOver();
    }

    @Override
    public String toString() {
        return loopName() + (hasEnded() ? " was" : " is") + " in " + location() + ", " + nanos() / 1_000_000 + " ms";
    }
}
