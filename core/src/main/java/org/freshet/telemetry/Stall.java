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
     * The name of the class whose code holds the loop: that of a handler, listener or task, or the superclass that has the method. Null if the
     * loop is in Freshet's own code.
     */
    public String handlerType() {
        return report.type();
    }

    /**
     * Where in that class the thread was: {@code com.example.OrderHandler.messageReceived(OrderHandler.java:42)}; {@code its own code} if the
     * type is null.
     */
    public String culprit() {
        return report.where();
    }

    /** For how long so far, in nanoseconds, at least. */
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

    /** Whether the loop has gone on since. */
    public boolean isOver() {
        return report.isOver();
    }

    @Override
    public String toString() {
        return loopName() + (isOver() ? " was" : " is") + " in " + culprit() + ", " + nanos() / 1_000_000 + " ms";
    }
}
