package org.freshet.telemetry;

import org.freshet.channel.Channel;
import org.freshet.internal.telemetry.StallReport;

/** An I/O loop that has been in the same handler, listener or task for longer than {@link StallWatch} allows. Immutable. */
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

    /** The channel that the loop serves; null if it runs a task, or the channel is not known any more. */
    public Channel channel() {
        return report.channel();
    }

    /**
     * The handler's name in its pipeline; null if a listener or a task holds the loop. If the stack does not tell apart handlers of one class,
     * the names of all, with {@code ' or '} between.
     */
    public String handlerName() {
        return report.culprit().name();
    }

    /** The name of the class of the handler, listener or task; null if no such code runs. */
    public String handlerType() {
        return report.culprit().type();
    }

    /** Where in that class the thread was: {@code com.example.OrderHandler.messageReceived(OrderHandler.java:42)}. */
    public String culprit() {
        return report.culprit().where();
    }

    /** For how long so far, in nanoseconds, at least. */
    public long nanos() {
        return report.nanos();
    }

    /** The thread's stack when the stall was found, newest frame first; a copy. */
    public StackTraceElement[] stackTrace() {
        return report.culprit().stack().clone();
    }

    /** How many other channels the loop has. */
    public int waitingChannels() {
        return Math.max(0, report.channels() - (report.channel() == null ? 0 : 1));
    }

    /** Whether the loop has gone on since. */
    public boolean isOver() {
        return report.isOver();
    }

    @Override
    public String toString() {
        return loopName() + (isOver() ? " was" : " is") + " in " + culprit() + ", " + nanos() / 1_000_000 + " ms";
    }
}
