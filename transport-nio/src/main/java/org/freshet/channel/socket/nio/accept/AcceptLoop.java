package org.freshet.channel.socket.nio.accept;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.socket.nio.loop.Deadlines;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.accept.AcceptStatus;
import org.freshet.internal.accept.AcceptStatus.State;
import org.freshet.internal.accept.Place;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Accepts the connections of one server, as its {@link AcceptLimits} allow: reserves a place, accepts, has the peer admitted, and hands
 * connection and place over. Whatever a step throws, the place is given back, and the server tries again after a while.
 *
 * <p>While the server does not accept, its key has no interest, connections wait in the backlog, and the boss's other servers go on. One of
 * two things ends that: the limits, which call {@link Server#wakeAccepting}, or a deadline.
 *
 * <p>Threading: the boss only.
 */
public final class AcceptLoop {
    /** The server for which this accepts. */
    public interface Server extends Channel {
        /** Of the boss. */
        Deadlines deadlines();

        /** Has the boss call {@link AcceptLoop#onRoom}. Any thread; neither throws nor allocates. */
        void wakeAccepting();

        /**
         * Owns an admitted connection from now on, and closes it if it cannot be served. Throws nothing.
         *
         * @return whether the connection's close will release the place
         */
        boolean onAccepted(SocketChannel accepted, Place place);
    }

    /** Connections accepted before the boss looks at its other servers. */
    private static final int MAX_ACCEPTS_A_TURN = 64;

    /** Connections reset in a row when there are no descriptors. */
    private static final int MAX_RESETS = 64;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(AcceptLoop.class);

    private final Server server;
    private final ServerSocketChannel socket;
    private final AcceptLimits limits;
    private final AcceptStatus status;

    /** The same for each call of {@link AcceptLimits#whenRoom}. */
    private final Runnable wakeUp;

    /** Made early, as are the classes that {@link #onBound} loads: without descriptors its class could not be read. */
    private final AcceptStatus.Resetter resetter = this::resetWaiting;

    /** Null until bound. */
    private SelectionKey key;

    /** Accepted when a limit was lowered, and next in turn; mostly null. */
    private SocketChannel held;

    /** Ends THROTTLED or BACKING_OFF; null in other states. */
    private Deadlines.Deadline retry;

    public AcceptLoop(Server server, ServerSocketChannel socket, AcceptLimits limits) {
        this.server = server;
        this.socket = socket;
        this.limits = limits;
        status = new AcceptStatus(server, limits);
        wakeUp = server::wakeAccepting;
    }

    // ---- life -------------------------------------------------------------------------------------------------------

    /** Accepts from now on. Loads the classes that a back-off needs: a process without descriptors may be unable to read them. */
    public void onBound(SelectionKey accepting) {
        key = accepting;
        server.deadlines().addIn(0, this::onTime).cancel();
        logger.isWarnEnabled();
        status.reserveDescriptor();
    }

    /** The selector was rebuilt. */
    public void onKeyChanged(SelectionKey changed) {
        key = changed;
    }

    public void onClosed() {
        cancelRetry();
        limits.stopWaiting(wakeUp);
        if (held != null) {
            reset(takeHeld());
        }
        status.enter(State.CLOSED, null);
    }

    /** The only place that changes the state, with what belongs to it. */
    private void enter(State next, Object cause) {
        if (key.isValid()) {
            key.interestOps(next == State.OPEN ? SelectionKey.OP_ACCEPT : 0);
        }
        status.enter(next, cause);
    }

    // ---- accepting --------------------------------------------------------------------------------------------------

    public void onAcceptable() {
        for (int i = 0; i < MAX_ACCEPTS_A_TURN && status.state() == State.OPEN && server.isBound(); i++) {
            try {
                if (!acceptOne()) {
                    return;
                }
            } catch (Throwable t) {
                backOff(t);
            }
        }
    }

    /** Returns false if no more can be accepted now. */
    private boolean acceptOne() throws IOException {
        Place place = limits.newPlace();
        boolean isHandedOver = false;
        try {
            if (!reserves(place)) {
                return false;
            }
            SocketChannel accepted = held == null ? accept() : takeHeld();
            if (accepted == null) {
                return false;
            }
            isHandedOver = admits(accepted, place) && server.onAccepted(accepted, place);
            return true;
        } finally {
            if (!isHandedOver) {
                place.release();
            }
        }
    }

    /** Returns null if there is none. */
    private SocketChannel accept() throws IOException {
        try {
            return socket.accept();
        } catch (ClosedChannelException e) {
            return null;
        }
    }

    private boolean reserves(Place place) {
        long waitNanos = place.reserve();
        if (waitNanos != 0) {
            awaitRoom(waitNanos);
        }
        return waitNanos == 0;
    }

    /** What wakes the server comes first: if there is no memory for it, the server must not stop listening. */
    private void awaitRoom(long waitNanos) {
        State waiting = status.stateFor(waitNanos);
        if (waiting.waitsForRoom()) {
            limits.whenRoom(wakeUp); // has the boss come back in a task of its own, after this
        } else {
            retryIn(TimeUnit.NANOSECONDS.toMillis(waitNanos) + 1);
        }
        enter(waiting, AcceptStatus.causeOf(waiting));
    }

    /** Returns whether the connection is to be set up. If not, it was reset, or is held until there is room. */
    private boolean admits(SocketChannel accepted, Place place) {
        boolean isKept = false;
        try {
            status.onAccepted();
            if (place.isWithinLimits()) {
                isKept = place.admit(peerOf(accepted)) == null;
                return isKept;
            }
            place.release();
            held = accepted; // its peer may have connected after the limit was lowered
            isKept = true;
            awaitRoom(AcceptLimits.UNTIL_ROOM);
            return false;
        } finally {
            if (!isKept) {
                reset(accepted);
            }
        }
    }

    /** Returns null if it is not known because the peer is gone. */
    private static InetAddress peerOf(SocketChannel accepted) {
        try {
            return accepted.getRemoteAddress() instanceof InetSocketAddress address ? address.getAddress() : null;
        } catch (IOException gone) {
            return null;
        }
    }

    private SocketChannel takeHeld() {
        SocketChannel next = held;
        held = null;
        return next;
    }

    private static void reset(SocketChannel accepted) {
        try (SocketChannel closing = accepted) {
            closing.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            logger.debug("failed to reset a refused connection", e);
        }
    }

    // ---- waiting ----------------------------------------------------------------------------------------------------

    /** There may be room again, as {@link AcceptLimits#whenRoom} says. */
    public void onRoom() {
        if (status.state().waitsForRoom()) {
            resume();
        }
    }

    private void onTime() {
        retry = null;
        resume();
    }

    private void resume() {
        enter(State.OPEN, null);
        if (held != null) { // the selector does not report the server for this one
            onAcceptable();
        }
    }

    /** What wakes the server comes first, as in {@link #awaitRoom}. */
    private void backOff(Throwable cause) {
        retryIn(status.onFailed(server.deadlines().nowNanos()));
        try {
            enter(State.BACKING_OFF, cause);
        } finally {
            status.onShortage(cause, resetter);
        }
    }

    private void retryIn(long millis) {
        cancelRetry(); // of an attempt that failed after it was added
        retry = server.deadlines().addIn(millis, this::onTime);
    }

    private void cancelRetry() {
        if (retry != null) {
            retry.cancel();
            retry = null;
        }
    }

    /** There are no descriptors: resets the connections that wait, each with the descriptor of the reserve. */
    private int resetWaiting() {
        int count = 0;
        try {
            for (SocketChannel accepted; count < MAX_RESETS && (accepted = socket.accept()) != null; count++) {
                reset(accepted);
            }
        } catch (IOException e) {
            logger.debug("another thread has taken the descriptor of the reserve", e);
        }
        return count;
    }
}
