package org.freshet.handler.codec.http2;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Alarm;

/**
 * Bounds how long a peer may take, see {@link Http2Timeouts}. A time that runs once has a deadline. A time that runs repeatedly
 * is checked every quarter of the shortest of those times, and counted in checks, so frames don't have to read the clock.
 *
 * <p>Belongs to its connection's thread.
 */
final class ConnectionDeadlines {
    /** The least number of checks while a time passes. */
    private static final int CHECKS = 4;

    /** Octets on a stream, or on the connection, that count as progress. */
    static final int PROGRESS = 1024;

    /** Time for the peer to read why its connection ends. */
    private static final long END_MILLIS = 2_000;

    private final Connection connection;
    private final ConnectionStreams streams;
    private final DataSender sender;
    private final Http2Settings settings;
    private final Http2Timeouts times;
    private final long idleMillis;
    private final long checkMillis;

    /** Each is null while it doesn't run. */
    private Deadline handshake;

    private Deadline head;

    /** For a drain, or for the end of the connection. */
    private Deadline end;

    private boolean isOver;

    /** Triggers the repeated checks. */
    private final Alarm checkAlarm;

    /** The cut frame that {@link #head} limits; 0 for none. */
    private long cutFrame;

    // Since the last check.
    private boolean hasReceived;
    private long written;

    // Consecutive checks with that result.
    private int unwritten;
    private int withoutStreams;
    private int silent;

    private boolean awaitsPing;

    /** Whether something was still unsent when the time for the end began. */
    private boolean wasUnsent;

    // At the last check for progress of a drain.
    private long movedBefore;
    private int streamsBefore;

    ConnectionDeadlines(Connection connection, ConnectionStreams streams, DataSender sender) {
        this.connection = connection;
        this.streams = streams;
        this.sender = sender;
        settings = connection.settings();
        times = settings.timeouts();
        idleMillis = connection.isServer() ? times.idleMillis() : 0;
        checkMillis = checkMillis();
        checkAlarm = Alarm.ofLimit(settings.timer(), this::execute, () -> run(this::check));
    }

    /** 0 if there is nothing to check. */
    private long checkMillis() {
        boolean pings = times.pingIntervalMillis() > 0;
        long shortest = Long.MAX_VALUE;
        for (long each : new long[] {
            times.writeStallMillis(), idleMillis, times.pingIntervalMillis(), pings ? times.pingTimeoutMillis() : 0
        }) {
            shortest = each == 0 ? shortest : Math.min(shortest, each);
        }
        return shortest == Long.MAX_VALUE ? 0 : Math.max(1, shortest / CHECKS);
    }

    // ---- events of the connection ----

    /** Our SETTINGS have been sent. */
    void onStarted() {
        handshake = start(times.handshakeMillis(), this::onHandshakeTimeout);
        scheduleCheck();
    }

    void onAcknowledged() {
        handshake = cancel(handshake);
    }

    void onReceived() {
        hasReceived = true;
    }

    /**
     * A read is over.
     *
     * @param number the frame or field block that the read has cut; 0 for none
     */
    void onCutFrame(long number) {
        if (number != cutFrame) {
            head = cancel(head);
            cutFrame = number;
            if (number != 0) {
                head = start(times.headMillis(), this::onHeadTimeout);
            }
        }
    }

    private void onHeadTimeout() {
        connection.endTimedOut(new Http2Exception(
                Http2Error.ENHANCE_YOUR_CALM, "a head was not complete within " + times.headMillis() + " ms"));
    }

    void onWritten(long octets) {
        written += octets;
    }

    /** This side has sent its last GOAWAY, and no drain of the channel limits the time after it. */
    void startDrain() {
        movedBefore = connection.movedOctets();
        streamsBefore = streams.count();
        end = start(times.drainMillis(), this::checkDrain);
    }

    /** The channel is being drained, which has its own deadline. */
    void stopDrain() {
        end = cancel(end);
    }

    /** The channel closes once the peer has read why. If the channel is being drained, everything written is sent first. */
    void onEnding() {
        stop();
        isOver = false;
        unwritten = 0;
        awaitEnd();
    }

    private void awaitEnd() {
        written = 0;
        wasUnsent = isUnsent();
        end = start(END_MILLIS, this::checkEnd);
    }

    /** A traffic shaper may still hold the last writes. */
    private boolean isUnsent() {
        return connection.isDrained() && WriteAccount.waitingBytes(connection.channel()) > 0;
    }

    private void checkEnd() {
        unwritten = written > 0 ? 0 : unwritten + 1;
        boolean isStalled = times.writeStallMillis() > 0 && unwritten * END_MILLIS > times.writeStallMillis();
        if (wasUnsent && !isStalled) {
            awaitEnd();
        } else {
            connection.end().closeNow();
        }
    }

    /** The channel is closed. */
    void stop() {
        isOver = true;
        handshake = cancel(handshake);
        head = cancel(head);
        end = cancel(end);
        checkAlarm.cancel();
    }

    // ---- time ----

    /**
     * Returns null if the time is 0 or the connection has ended. The action runs on the connection's thread unless the
     * connection has ended by then.
     */
    Deadline start(long millis, Runnable action) {
        if (millis == 0 || isOver) {
            return null;
        }
        Deadline deadline = new Deadline(settings.timer(), millis, this::execute, () -> run(action));
        deadline.start();
        return deadline;
    }

    private void scheduleCheck() {
        if (checkMillis > 0 && !isOver) {
            checkAlarm.set(TimeUnit.MILLISECONDS.toNanos(checkMillis));
        }
    }

    /** Runs a task on the connection's thread. */
    private void execute(Runnable task) {
        SerialChannel.executeUrgently(connection.channel(), () -> connection.execute(task));
    }

    private void run(Runnable action) {
        if (!isOver) {
            action.run();
        }
    }

    private static Deadline cancel(Deadline deadline) {
        if (deadline != null) {
            deadline.cancel();
        }
        return null;
    }

    private void onHandshakeTimeout() {
        connection.endTimedOut(new Http2Exception(
                Http2Error.SETTINGS_TIMEOUT,
                "SETTINGS were not acknowledged within " + times.handshakeMillis() + " ms"));
    }

    private void check() {
        checkTransport();
        checkWindows();
        checkUnread();
        checkIdle();
        checkPeer();
        hasReceived = false;
        written = 0;
        scheduleCheck();
    }

    private void checkDrain() {
        boolean moves = connection.movedOctets() - movedBefore >= PROGRESS || streams.count() < streamsBefore;
        if (moves) {
            startDrain();
        } else {
            connection.abort("after GOAWAY, no stream ended and almost nothing was sent or received within "
                    + times.drainMillis() + " ms");
        }
    }

    /** Whether this many checks exceed a time. Takes one more check, because the first may come right away. */
    private boolean exceeds(int checks, long millis) {
        return millis > 0 && checks * checkMillis > millis;
    }

    private void checkTransport() {
        unwritten = sender.inFlight() == 0 || written > 0 ? 0 : unwritten + 1;
        if (exceeds(unwritten, times.writeStallMillis())) {
            connection.abort("nothing could be sent for " + times.writeStallMillis() + " ms");
        }
    }

    private void checkWindows() {
        if (!connection.isServer()) {
            return; // a server may leave a window shut for as long as its handler works
        }
        boolean isConnectionHeld = sender.isHeldByPeer();
        streams.forEach(stream -> {
            if (exceeds(stream.checkStall(isConnectionHeld), times.writeStallMillis())) {
                streams.abandon(
                        stream.channel,
                        "the peer's windows allowed less than " + PROGRESS + " octets in " + times.writeStallMillis()
                                + " ms");
            }
        });
    }

    private void checkUnread() {
        streams.checkUnread(checks -> exceeds(checks, times.writeStallMillis()));
    }

    private void checkIdle() {
        withoutStreams = streams.isEmpty() && !streams.takeOpened() ? withoutStreams + 1 : 0;
        if (exceeds(withoutStreams, idleMillis)) {
            connection.drain();
        }
    }

    private void checkPeer() {
        silent = hasReceived ? 0 : silent + 1;
        awaitsPing &= !hasReceived;
        if (awaitsPing && exceeds(silent, times.pingTimeoutMillis())) {
            connection.abort("a PING was not answered within " + times.pingTimeoutMillis() + " ms");
        } else if (!awaitsPing
                && silent * checkMillis >= times.pingIntervalMillis()
                && times.pingIntervalMillis() > 0) {
            awaitsPing = true;
            silent = 0;
            connection.ping();
        }
    }
}
