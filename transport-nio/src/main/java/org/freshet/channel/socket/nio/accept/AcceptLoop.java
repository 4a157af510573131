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
import java.util.concurrent.locks.LockSupport;
import org.freshet.channel.Channel;
import org.freshet.channel.socket.nio.loop.Deadlines;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.accept.AcceptPermit;
import org.freshet.internal.accept.AcceptStatus;
import org.freshet.internal.accept.AcceptStatus.State;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Accepts the connections of one server within its {@link AcceptLimits}: takes a permit, accepts, has the peer
 * admitted, and hands over connection and permit. Whatever a step throws, the permit is released and the server retries
 * later.
 *
 * <p>While the server does not accept, its key has no interest and connections wait in the backlog; the boss's other
 * servers continue. While the heap is full, it pauses the boss instead. Either the limits end that, by calling {@link Server#wakeAccepting}, or a deadline does.
 *
 * <p>Threading: used on the boss only.
 */
public final class AcceptLoop {
    /** The server that accepts. */
    public interface Server extends Channel {
        /** The boss's deadlines. */
        Deadlines deadlines();

        /** Makes the boss call {@link AcceptLoop#onRoom}. Any thread may call it; it neither throws nor allocates. */
        void wakeAccepting();

        /**
         * Takes over an admitted connection, and closes it if it cannot be served. Never throws.
         *
         * @return whether the connection's close will release the permit
         */
        boolean onAccepted(SocketChannel accepted, AcceptPermit permit);
    }

    /** Connections accepted before the boss serves its other servers. */
    private static final int MAX_ACCEPTS_A_TURN = 64;

    /** Maximum number of connections reset in a row when there are no file descriptors. */
    private static final int MAX_RESETS = 64;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(AcceptLoop.class);

    private static final long PAUSE_WITHOUT_MEMORY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Server server;
    private final ServerSocketChannel socket;
    private final AcceptLimits limits;
    private final AcceptStatus status;

    /** The same instance for each call of {@link AcceptLimits#whenRoom}. */
    private final Runnable wakeUp;

    /**
     * Created early, like the classes loaded by {@link #onBound}: without free file descriptors, its class could not be
     * loaded.
     */
    private final AcceptStatus.Resetter resetter = this::resetWaiting;

    /** Null until bound. */
    private SelectionKey key;

    /** For the next attempt, because most find no connection; null while it is in use, or if the last one could not be reused. */
    private AcceptPermit spare;

    /** Accepted while a limit was being lowered, and next in turn; usually null. */
    private SocketChannel held;

    /** Whether the held connection waits for memory. */
    private boolean isPostponed;

    /** Ends THROTTLED or BACKING_OFF; null in other states. */
    private Deadlines.Deadline retry;

    public AcceptLoop(Server server, ServerSocketChannel socket, AcceptLimits limits) {
        this.server = server;
        this.socket = socket;
        this.limits = limits;
        status = new AcceptStatus(server, limits);
        wakeUp = server::wakeAccepting;
    }

    // ---- life cycle -------------------------------------------------------------------------------------------------

    /**
     * Accepts from now on. Loads the classes needed for a back-off, because a process without file descriptors may be
     * unable to load them.
     */
    public void onBound(SelectionKey accepting) {
        key = accepting;
        server.deadlines().addIn(0, this::onTime).cancel();
        logger.isWarnEnabled();
        status.reserveDescriptor();
    }

    /** Called when the selector was rebuilt. */
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

    /** The only place that changes the state, together with everything that depends on it. */
    private void enter(State next, Object cause) {
        if (key.isValid()) {
            key.interestOps(next == State.OPEN ? SelectionKey.OP_ACCEPT : 0);
        }
        status.enter(next, cause);
    }

    // ---- accepting --------------------------------------------------------------------------------------------------

    public void onAcceptable() {
        if (HeapReserve.isMissing()) { // a connection accepted now could be lost together with its descriptor
            LockSupport.parkNanos(this, PAUSE_WITHOUT_MEMORY_NANOS); // the key stays ready
            if (held != null) { // but not for that one
                isPostponed = true;
                server.wakeAccepting();
            }
            return;
        }
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
        AcceptPermit permit = spare == null ? limits.newPermit() : spare;
        spare = null;
        boolean isHandedOver = false;
        try {
            if (!reserves(permit)) {
                return false;
            }
            SocketChannel accepted = held == null ? accept() : takeHeld();
            if (accepted == null) {
                return false;
            }
            isHandedOver = admits(accepted, permit) && server.onAccepted(accepted, permit);
            return true;
        } finally {
            if (!isHandedOver) {
                permit.release();
            }
            spare = permit.isReusable() ? permit : null;
        }
    }

    /** Returns null if no connection is waiting. */
    private SocketChannel accept() throws IOException {
        try {
            return socket.accept();
        } catch (ClosedChannelException e) {
            return null;
        }
    }

    private boolean reserves(AcceptPermit permit) {
        long waitNanos = permit.reserve();
        if (waitNanos != 0) {
            awaitRoom(waitNanos);
        }
        return waitNanos == 0;
    }

    /** The wake-up is arranged first: if there is no memory for it, the server must not stop listening. */
    private void awaitRoom(long waitNanos) {
        State waiting = status.stateFor(waitNanos);
        if (waiting.waitsForRoom()) {
            limits.whenRoom(wakeUp); // makes the boss return in a separate task, after this
        } else {
            retryIn(TimeUnit.NANOSECONDS.toMillis(waitNanos) + 1);
        }
        enter(waiting, AcceptStatus.causeOf(waiting));
    }

    /** Returns whether to set up the connection. If not, it was reset, or is held until there is room. */
    private boolean admits(SocketChannel accepted, AcceptPermit permit) {
        boolean isKept = false;
        try {
            status.onAccepted();
            if (permit.isWithinLimits()) {
                isKept = permit.admit(peerOf(accepted)) == null;
                return isKept;
            }
            permit.release();
            held = accepted; // the limit was lowered in the meantime
            isKept = true;
            awaitRoom(AcceptLimits.UNTIL_ROOM);
            return false;
        } finally {
            if (!isKept) {
                reset(accepted);
            }
        }
    }

    /** Returns null if the address is unknown because the peer is gone. */
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

    /** There may be room again, see {@link AcceptLimits#whenRoom}, or memory. */
    public void onRoom() {
        if (isPostponed || status.state().waitsForRoom()) {
            isPostponed = false;
            resume();
        }
    }

    private void onTime() {
        retry = null;
        resume();
    }

    private void resume() {
        enter(State.OPEN, null);
        if (held != null) { // the selector does not report the server for the held connection
            onAcceptable();
        }
    }

    /** The wake-up is arranged first, as in {@link #awaitRoom}. */
    private void backOff(Throwable cause) {
        retryIn(status.onFailed(server.deadlines().nowNanos()));
        try {
            enter(State.BACKING_OFF, cause);
        } finally {
            status.onShortage(cause, resetter);
        }
    }

    private void retryIn(long millis) {
        cancelRetry(); // it may belong to an attempt that failed after adding it
        retry = server.deadlines().addIn(millis, this::onTime);
    }

    private void cancelRetry() {
        if (retry != null) {
            retry.cancel();
            retry = null;
        }
    }

    /** Called when there are no file descriptors: resets the waiting connections, each with the reserved descriptor. */
    private int resetWaiting() {
        int count = 0;
        try {
            for (SocketChannel accepted; count < MAX_RESETS && (accepted = socket.accept()) != null; count++) {
                reset(accepted);
            }
        } catch (IOException e) {
            logger.debug("another thread has taken the reserved file descriptor", e);
        }
        return count;
    }
}
