package org.freshet.internal.accept;

import java.io.IOException;
import org.freshet.channel.Channel;
import org.freshet.internal.flight.Flight;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Whether a server accepts connections, and if not, why: the state common to all transports, its reports to Flight Recorder and the log,
 * and the spare descriptor. Belongs to the server's I/O thread.
 *
 * <pre>
 *   OPEN &lt;--&gt; FULL, PAUSED, THROTTLED, BACKING_OFF
 *     '---------------any of them---------------'---&gt; CLOSED
 * </pre>
 */
public final class AcceptStatus {
    public enum State {
        OPEN,
        /** The maximum number of connections is open. Ends when the limits wake the server. */
        FULL,
        /** Paused by an operator. Ends like FULL. */
        PAUSED,
        /** More connections per second arrived than allowed. Ends after a time. */
        THROTTLED,
        /** Accepting failed. Ends after a time. */
        BACKING_OFF,
        /** Final. */
        CLOSED;

        /** Whether the limits end this state. */
        public boolean waitsForRoom() {
            return this == FULL || this == PAUSED;
        }
    }

    /** Resets the waiting connections, using the spare descriptor that was just released, and returns how many. */
    @FunctionalInterface
    public interface Resetter {
        int resetWaiting() throws IOException;
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(AcceptStatus.class);

    private final Channel server;
    private final AcceptLimits limits;
    private final SpareDescriptor spare;
    private final AcceptBackoff backoff = new AcceptBackoff();
    private State state = State.OPEN;

    /** For Flight Recorder; null while connections are accepted or nothing is recorded. */
    private Object pause;

    public AcceptStatus(Channel server, AcceptLimits limits) {
        this.server = server;
        this.limits = limits;
        spare = new SpareDescriptor(limits);
    }

    public State state() {
        return state;
    }

    /** The only place that changes the state. Has no effect once CLOSED. */
    public void enter(State next, Object cause) {
        if (state == State.CLOSED) {
            return;
        }
        state = next;
        if (next == State.CLOSED) {
            spare.release();
        }
        if (next == State.OPEN || next == State.CLOSED) {
            Object over = pause;
            pause = null;
            if (over != null) {
                Flight.acceptResumed(over, server);
            }
        } else if (pause == null) {
            pause = Flight.acceptPaused(cause);
        }
    }

    /** Returns the state of a server for which {@link AcceptPermit#reserve} returned this wait, other than 0. */
    public State stateFor(long waitNanos) {
        if (waitNanos != AcceptLimits.UNTIL_ROOM) {
            return State.THROTTLED;
        }
        return limits.isPaused() ? State.PAUSED : State.FULL;
    }

    /** Returns the name of such a state for Flight Recorder. */
    public static String causeOf(State state) {
        return switch (state) {
            case THROTTLED -> "rate";
            case PAUSED -> "paused";
            default -> "full";
        };
    }

    /** Called when an accept has succeeded. */
    public void onAccepted() {
        backoff.onAccepted();
        spare.reserve();
    }

    public void reserveDescriptor() {
        spare.reserve();
    }

    /** Returns how many milliseconds to wait before the next accept. Never throws or allocates. */
    public int onFailed(long nowNanos) {
        return backoff.onFailed(nowNanos);
    }

    /** Resets the waiting connections if the failure may be a shortage of descriptors, and logs it once. Never throws. */
    public void onShortage(Throwable cause, Resetter resetter) {
        try {
            if (cause instanceof IOException && spare.release()) {
                resetWaiting(resetter);
            }
            if (backoff.isUnreported()) {
                logger.warn("cannot accept on " + server + ", trying again at growing intervals of up to 1 s", cause);
                backoff.onReported();
            }
        } catch (Throwable unreported) {
            // Logging may need the same resource. The next failure tries again.
        }
    }

    private void resetWaiting(Resetter resetter) {
        try {
            limits.onShortage(resetter.resetWaiting());
        } catch (IOException e) {
            logger.debug("another thread has taken the spare descriptor", e);
        } finally {
            spare.reserve();
        }
    }
}
