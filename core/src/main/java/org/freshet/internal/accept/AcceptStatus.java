package org.freshet.internal.accept;

import java.io.IOException;
import org.freshet.channel.Channel;
import org.freshet.internal.flight.Flight;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Whether a server accepts connections, and why not: the state that all transports share, what Flight Recorder and the log learn of it, and
 * the descriptor in reserve. Belongs to the server's I/O thread.
 *
 * <pre>
 *   OPEN &lt;--&gt; FULL, PAUSED, THROTTLED, BACKING_OFF
 *     '---------------any of them---------------'---&gt; CLOSED
 * </pre>
 */
public final class AcceptStatus {
    public enum State {
        OPEN,
        /** As many connections as allowed are open. Ends when the limits wake the server. */
        FULL,
        /** An operator wants it so. Ends like FULL. */
        PAUSED,
        /** More came in a second than allowed. Ends in time. */
        THROTTLED,
        /** Accepting failed. Ends in time. */
        BACKING_OFF,
        /** For good. */
        CLOSED;

        /** Whether the limits end this state. */
        public boolean waitsForRoom() {
            return this == FULL || this == PAUSED;
        }
    }

    /** Resets the connections that wait, with the descriptor that the reserve has given up, and returns how many. */
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

    /** The state of a server for which {@link Place#reserve} returned this, other than 0. */
    public State stateFor(long waitNanos) {
        if (waitNanos != AcceptLimits.UNTIL_ROOM) {
            return State.THROTTLED;
        }
        return limits.isPaused() ? State.PAUSED : State.FULL;
    }

    /** The name of such a state for Flight Recorder. */
    public static String causeOf(State state) {
        return switch (state) {
            case THROTTLED -> "rate";
            case PAUSED -> "paused";
            default -> "full";
        };
    }

    /** An accept succeeded. */
    public void onAccepted() {
        backoff.onAccepted();
        spare.reserve();
    }

    public void reserveDescriptor() {
        spare.reserve();
    }

    /** Returns how many milliseconds to wait before the next accept. Neither throws nor allocates. */
    public int onFailed(long nowNanos) {
        return backoff.onFailed(nowNanos);
    }

    /** Answers those that wait if the failure may mean that there are no descriptors, and logs it once. Throws nothing. */
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
            // Logging may lack what accepting lacks. The next failure tries again.
        }
    }

    private void resetWaiting(Resetter resetter) {
        try {
            limits.onShortage(resetter.resetWaiting());
        } catch (IOException e) {
            logger.debug("another thread has taken the descriptor of the reserve", e);
        } finally {
            spare.reserve();
        }
    }
}
