package org.freshet.internal.flight;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Commits events to JDK Flight Recorder, and does nothing if the image has no {@code jdk.jfr}. Apart from this package's other classes, no
 * class names a type of that module. Any thread may call any method.
 *
 * <p>While nothing is recorded, a call costs a few nanoseconds. The event classes are loaded with the first call after the recorder was first
 * used, because loading them takes a process that starts a third of its time. All are loaded together, because a process that closes channels
 * when it is out of memory or descriptors may be unable to load classes; then nothing is recorded.
 */
public final class Flight {
    private static final boolean IS_PRESENT = isPresent();

    /** Whether the event classes are loaded. */
    private static volatile boolean isLoaded;

    /** The events begun by {@link #unwritable}, by channel. Empty unless they are recorded. */
    private static final Map<Object, Object> UNWRITABLE = new ConcurrentHashMap<>();

    private Flight() {}

    private static boolean isPresent() {
        try {
            RecorderUse.hasBegun();
            return true;
        } catch (LinkageError absent) {
            return false;
        }
    }

    /** Whether something may be recorded. */
    private static boolean isUsed() {
        return isLoaded || IS_PRESENT && RecorderUse.hasBegun() && load();
    }

    private static boolean load() {
        try {
            new AcceptPausedEvent().isEnabled();
            new CloseRequestedEvent().isEnabled();
            new ConnectEvent().isEnabled();
            new ConnectionEvent().isEnabled();
            new ServersDrained().isEnabled();
            new LoopStatisticsEvent().isEnabled();
            new OverflowEvent().isEnabled();
            new StallEvent().isEnabled();
            new TlsHandshakeEvent().isEnabled();
            new UnobservedFailureEvent().isEnabled();
            new UnwritableEvent().isEnabled();
            isLoaded = true;
            return true;
        } catch (VirtualMachineError
                | LinkageError notLoaded) { // a recording must not keep a channel from being closed
            return false;
        }
    }

    /** Called when code requests a close; the event has its stack trace. */
    public static void closeRequested(Object channel, Object reason) {
        if (isUsed()) {
            CloseRequestedEvent event = new CloseRequestedEvent();
            if (event.shouldCommit()) {
                event.channel = channel.toString();
                event.reason = reason.toString();
                event.commit();
            }
        }
    }

    /** Returns the argument for {@link #connectionEnded}, or null if connections are not recorded. */
    public static Object connectionBegan() {
        return isUsed() ? new ConnectionEvent().begun() : null;
    }

    /**
     * @param connection from {@link #connectionBegan}
     * @param cause may be null
     */
    public static void connectionEnded(
            Object connection,
            Object channel,
            boolean isAccepted,
            long bytesRead,
            long bytesWritten,
            Object reason,
            Throwable cause) {
        ConnectionEvent event = (ConnectionEvent) connection;
        event.end();
        if (event.shouldCommit()) {
            event.channel = channel.toString();
            event.isAccepted = isAccepted;
            event.bytesRead = bytesRead;
            event.bytesWritten = bytesWritten;
            event.reason = reason.toString();
            event.cause = cause == null ? null : cause.toString();
            event.commit();
        }
    }

    /** Returns the argument for {@link #connectEnded}, or null if connects are not recorded. */
    public static Object connectBegan() {
        return isUsed() ? new ConnectEvent().begun() : null;
    }

    /**
     * @param connect from {@link #connectBegan}
     * @param cause null for success
     */
    public static void connectEnded(Object connect, Object channel, Object remoteAddress, Throwable cause) {
        ConnectEvent event = (ConnectEvent) connect;
        event.end();
        if (event.shouldCommit()) {
            event.channel = channel.toString();
            event.remoteAddress = String.valueOf(remoteAddress);
            event.cause = cause == null ? null : cause.toString();
            event.commit();
        }
    }

    /** Returns the argument for {@link #handshakeEnded}, or null if handshakes are not recorded. */
    public static Object handshakeBegan() {
        return isUsed() ? new TlsHandshakeEvent().begun() : null;
    }

    /**
     * @param handshake from {@link #handshakeBegan}
     * @param applicationProtocol may be null
     * @param cause null for success
     */
    public static void handshakeEnded(
            Object handshake,
            Object channel,
            String protocol,
            String cipherSuite,
            String applicationProtocol,
            Throwable cause) {
        TlsHandshakeEvent event = (TlsHandshakeEvent) handshake;
        event.end();
        if (event.shouldCommit()) {
            event.channel = channel.toString();
            event.protocol = protocol;
            event.cipherSuite = cipherSuite;
            event.applicationProtocol = applicationProtocol;
            event.cause = cause == null ? null : cause.toString();
            event.commit();
        }
    }

    /** Called when a channel becomes unwritable. */
    public static void unwritable(Object channel) {
        Object event = isUsed() ? new UnwritableEvent().begun() : null;
        if (event != null) {
            UNWRITABLE.put(channel, event);
        }
    }

    /** Called when the channel is writable again, or closed. */
    public static void unwritableEnded(Object channel) {
        if (!UNWRITABLE.isEmpty() && UNWRITABLE.remove(channel) instanceof UnwritableEvent event) {
            event.end();
            if (event.shouldCommit()) {
                event.channel = channel.toString();
                event.commit();
            }
        }
    }

    /** Returns the argument for {@link #acceptResumed}, or null if pauses are not recorded. */
    public static Object acceptPaused(Object cause) {
        Object event = isUsed() ? new AcceptPausedEvent().begun() : null;
        if (event instanceof AcceptPausedEvent begun) {
            begun.cause = cause.toString();
        }
        return event;
    }

    /** @param pause from {@link #acceptPaused} */
    public static void acceptResumed(Object pause, Object channel) {
        AcceptPausedEvent event = (AcceptPausedEvent) pause;
        event.end();
        if (event.shouldCommit()) {
            event.channel = channel.toString();
            event.commit();
        }
    }

    /** Returns the argument for {@link #overflowEnded}, or null if overflows are not recorded. */
    public static Object overflowBegan() {
        return isUsed() ? new OverflowEvent().begun() : null;
    }

    /** @param overflow from {@link #overflowBegan} */
    public static void overflowEnded(
            Object overflow, Object channel, Object policy, long waitingBytes, long limitBytes) {
        OverflowEvent event = (OverflowEvent) overflow;
        event.end();
        if (event.shouldCommit()) {
            event.channel = channel.toString();
            event.policy = policy.toString();
            event.waiting = waitingBytes;
            event.limit = limitBytes;
            event.commit();
        }
    }

    /** Returns the argument for {@link #drainEnded}, or null if drains are not recorded. */
    public static Object drainBegan() {
        return isUsed() ? new ServersDrained().begun() : null;
    }

    /** @param drain from {@link #drainBegan} */
    public static void drainEnded(Object drain, Object report) {
        ServersDrained event = (ServersDrained) drain;
        event.end();
        if (event.shouldCommit()) {
            event.report = report.toString();
            event.commit();
        }
    }

    /** Called when a loop continues after a stall. */
    public static void stalled(String loop, Object channel, String handler, String location, long nanos) {
        if (isUsed()) {
            StallEvent event = new StallEvent();
            if (event.shouldCommit()) {
                event.loop = loop;
                event.channel = channel == null ? null : channel.toString();
                event.handler = handler;
                event.location = location;
                event.held = nanos;
                event.commit();
            }
        }
    }

    public static void unobservedFailure(Object channel, Throwable cause) {
        if (isUsed()) {
            UnobservedFailureEvent event = new UnobservedFailureEvent();
            if (event.shouldCommit()) {
                event.channel = String.valueOf(channel);
                event.cause = cause.toString();
                event.commit();
            }
        }
    }

    public static boolean isRecordingLoops() {
        return isUsed() && new LoopStatisticsEvent().isEnabled();
    }

    /** Records a loop's totals since it started. */
    public static void loopStatistics(
            String loop,
            int channels,
            int tasksPending,
            long iterations,
            long busyNanos,
            long bytesRead,
            long bytesWritten) {
        if (isUsed()) {
            LoopStatisticsEvent event = new LoopStatisticsEvent();
            if (event.shouldCommit()) {
                event.loop = loop;
                event.channels = channels;
                event.tasksPending = tasksPending;
                event.iterations = iterations;
                event.busy = busyNanos;
                event.bytesRead = bytesRead;
                event.bytesWritten = bytesWritten;
                event.commit();
            }
        }
    }
}
