package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.freshet.channel.Channel;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.accept.AcceptStatus;
import org.freshet.internal.accept.AcceptStatus.State;
import org.freshet.internal.accept.Place;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Accepts the connections of one server until it is closed, as its {@link AcceptLimits} allow. Whatever a step throws, the connection's place
 * is given back, and the server goes on.
 *
 * <p>It takes a place after the accept: a place that is taken before would be kept from other servers while the accept blocks. When
 * connections have to wait, the first one waits here and the others in the backlog.
 *
 * <p>Threading: the server's I/O thread only.
 */
final class BlockingAcceptLoop {
    /** The server for which this accepts. */
    interface Server extends Channel {
        /** Owns an admitted connection and its place from now on. */
        void onAccepted(Socket accepted, Place place);
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(BlockingAcceptLoop.class);

    private final Server server;
    private final ServerSocket socket;
    private final AcceptLimits limits;
    private final AcceptStatus status;

    /** Turns false, and the thread is unparked, when the server closes. */
    private final BooleanSupplier isWanted;

    /** Made early: without descriptors its class could not be read. */
    private final AcceptStatus.Resetter resetter = this::resetWaiting;

    BlockingAcceptLoop(Server server, ServerSocket socket, AcceptLimits limits) {
        this.server = server;
        this.socket = socket;
        this.limits = limits;
        status = new AcceptStatus(server, limits);
        isWanted = server::isBound;
    }

    /** Returns when the server is closed. */
    void run() {
        Thread thread = Thread.currentThread();
        Runnable wakeUp = () -> LockSupport.unpark(thread);
        try {
            status.reserveDescriptor();
            while (isWanted.getAsBoolean()) {
                acceptOrBackOff(wakeUp);
            }
        } finally {
            limits.stopWaiting(wakeUp);
            status.enter(State.CLOSED, null);
        }
    }

    // ---- accepting --------------------------------------------------------------------------------------------------

    private void acceptOrBackOff(Runnable wakeUp) {
        try {
            acceptOne(wakeUp);
        } catch (Throwable t) { // whatever it is, it concerns one connection only
            if (isWanted.getAsBoolean()) {
                backOff(t);
            }
        }
    }

    private void acceptOne(Runnable wakeUp) throws IOException {
        Socket accepted = socket.accept();
        Place place = null;
        boolean isAdmitted = false;
        try {
            status.onAccepted();
            place = limits.newPlace();
            isAdmitted = awaitRoom(place, wakeUp) && place.admit(accepted.getInetAddress()) == null;
        } finally {
            if (!isAdmitted) {
                releaseAndReset(place, accepted);
            }
        }
        if (isAdmitted) {
            server.onAccepted(accepted, place);
        }
    }

    /** @param place may be null */
    private static void releaseAndReset(Place place, Socket accepted) {
        if (place != null) {
            place.release();
        }
        reset(accepted);
    }

    /** Returns false if the server closes instead. */
    private boolean awaitRoom(Place place, Runnable wakeUp) {
        while (isWanted.getAsBoolean()) {
            long waitNanos = place.reserve();
            if (waitNanos == 0) {
                status.enter(State.OPEN, null);
                return true;
            }
            State waiting = status.stateFor(waitNanos);
            if (waiting.waitsForRoom()) {
                limits.whenRoom(wakeUp);
            }
            status.enter(waiting, AcceptStatus.causeOf(waiting));
            LockSupport.parkNanos(this, waitNanos);
            Thread.interrupted(); // no interrupt is meant for this thread, and park would not wait any more
        }
        return false;
    }

    private static void reset(Socket accepted) {
        try (Socket closing = accepted) {
            closing.setSoLinger(true, 0);
        } catch (IOException e) {
            logger.debug("failed to reset a refused connection", e);
        }
    }

    // ---- waiting ----------------------------------------------------------------------------------------------------

    private void backOff(Throwable cause) {
        int millis = status.onFailed(System.nanoTime());
        try {
            status.onShortage(cause, resetter);
            status.enter(State.BACKING_OFF, cause);
            AcceptPause.await(millis, isWanted);
            status.enter(State.OPEN, null);
        } catch (Throwable unreported) {
            // Flight Recorder may lack what accepting lacks. The next accept tries again.
        }
    }

    /** There are no descriptors: resets one of the connections that wait, with the descriptor of the reserve. */
    private int resetWaiting() throws IOException {
        reset(socket.accept()); // returns right away: one that waits made the last accept fail
        return 1;
    }
}
