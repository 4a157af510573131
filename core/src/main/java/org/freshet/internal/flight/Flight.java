package org.freshet.internal.flight;

/**
 * Commits events to JDK Flight Recorder, and does nothing where the image has no {@code jdk.jfr}. No other class outside of this package's
 * event classes names a type of that module. Any thread.
 *
 * <p>While nothing is recorded, a call costs a few nanoseconds. The classes are loaded at once, because a process that closes its channels
 * for want of memory or descriptors may be unable to load any.
 */
public final class Flight {
    private static final boolean IS_PRESENT = load();

    private Flight() {}

    private static boolean load() {
        try {
            new CloseRequestedEvent().isEnabled();
            new ConnectionEvent().isEnabled();
            new LoopStatisticsEvent().isEnabled();
            new StallEvent().isEnabled();
            new UnobservedFailureEvent().isEnabled();
            return true;
        } catch (LinkageError absent) {
            return false;
        }
    }

    /** Whether the JVM has Flight Recorder. */
    public static boolean isPresent() {
        return IS_PRESENT;
    }

    /** The caller asks for a close; the event has its stack. */
    public static void closeRequested(Object channel, Object reason) {
        if (IS_PRESENT) {
            CloseRequestedEvent event = new CloseRequestedEvent();
            if (event.shouldCommit()) {
                event.channel = channel.toString();
                event.reason = reason.toString();
                event.commit();
            }
        }
    }

    /** Returns what {@link #connectionEnded} wants, or null if connections are not recorded. */
    public static Object connectionBegan() {
        if (!IS_PRESENT) {
            return null;
        }
        ConnectionEvent event = new ConnectionEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /**
     * @param connection from {@link #connectionBegan}
     * @param cause may be null
     */
    public static void connectionEnded(
            Object connection, Object channel, boolean isAccepted, Object reason, Throwable cause) {
        ConnectionEvent event = (ConnectionEvent) connection;
        event.end();
        if (event.shouldCommit()) {
            event.channel = channel.toString();
            event.isAccepted = isAccepted;
            event.reason = reason.toString();
            event.cause = cause == null ? null : cause.toString();
            event.commit();
        }
    }

    /** A loop goes on after a stall. */
    public static void stalled(String loop, Object channel, String handler, String culprit, long nanos) {
        if (IS_PRESENT) {
            StallEvent event = new StallEvent();
            if (event.shouldCommit()) {
                event.loop = loop;
                event.channel = channel == null ? null : channel.toString();
                event.handler = handler;
                event.culprit = culprit;
                event.held = nanos;
                event.commit();
            }
        }
    }

    public static void unobservedFailure(Object channel, Throwable cause) {
        if (IS_PRESENT) {
            UnobservedFailureEvent event = new UnobservedFailureEvent();
            if (event.shouldCommit()) {
                event.channel = String.valueOf(channel);
                event.cause = cause.toString();
                event.commit();
            }
        }
    }

    public static boolean isRecordingLoops() {
        return IS_PRESENT && new LoopStatisticsEvent().isEnabled();
    }

    /** What a loop has done since it began. */
    public static void loopStatistics(
            String loop,
            int channels,
            int tasksPending,
            long turns,
            long busyNanos,
            long bytesRead,
            long bytesWritten) {
        if (IS_PRESENT) {
            LoopStatisticsEvent event = new LoopStatisticsEvent();
            if (event.shouldCommit()) {
                event.loop = loop;
                event.channels = channels;
                event.tasksPending = tasksPending;
                event.turns = turns;
                event.busy = busyNanos;
                event.bytesRead = bytesRead;
                event.bytesWritten = bytesWritten;
                event.commit();
            }
        }
    }
}
