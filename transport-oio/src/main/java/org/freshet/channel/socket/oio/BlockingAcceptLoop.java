package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.freshet.channel.Channel;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.accept.AcceptPermit;
import org.freshet.internal.accept.AcceptStatus;
import org.freshet.internal.accept.AcceptStatus.State;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Accepts the connections of one server within its {@link AcceptLimits}, until the server is closed. Whatever a step
 * throws, the connection's permit is released and the server continues.
 *
 * <p>It takes a permit after the accept. Taken before, the permit would be lost to other servers while the accept
 * blocks. When connections must wait, the first one waits here and the others in the backlog.
 *
 * <p>Threading: used on the server's I/O thread only.
 */
final class BlockingAcceptLoop {
    /** The server that accepts. */
    interface Server extends Channel {
        /** Takes over an admitted connection and its permit. */
        void onAccepted(Socket accepted, AcceptPermit permit);
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(BlockingAcceptLoop.class);

    private final Server server;
    private final ServerSocket socket;
    private final AcceptLimits limits;
    private final AcceptStatus status;

    /** Turns false when the server closes; the thread is then unparked. */
    private final BooleanSupplier isWanted;

    /** Created early: without free file descriptors, its class could not be loaded. */
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
        } catch (Throwable t) { // any failure concerns one connection only
            if (isWanted.getAsBoolean()) {
                backOff(t);
            }
        }
    }

    private void acceptOne(Runnable wakeUp) throws IOException {
        Socket accepted = socket.accept();
        AcceptPermit permit = null;
        boolean isAdmitted = false;
        try {
            status.onAccepted();
            permit = limits.newPermit();
            isAdmitted = awaitRoom(permit, wakeUp) && permit.admit(accepted.getInetAddress()) == null;
        } finally {
            if (!isAdmitted) {
                releaseAndReset(permit, accepted);
            }
        }
        if (isAdmitted) {
            server.onAccepted(accepted, permit);
        }
    }

    /** @param permit may be null */
    private static void releaseAndReset(AcceptPermit permit, Socket accepted) {
        if (permit != null) {
            permit.release();
        }
        reset(accepted);
    }

    /** Returns false if the server closes instead. */
    private boolean awaitRoom(AcceptPermit permit, Runnable wakeUp) {
        while (isWanted.getAsBoolean()) {
            long waitNanos = permit.reserve();
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
            Thread.interrupted(); // clear it: a pending interrupt would keep park from waiting
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
        HeapReserve.onFailure(cause);
        int millis = status.onFailed(System.nanoTime());
        try {
            status.onShortage(cause, resetter);
            status.enter(State.BACKING_OFF, cause);
            AcceptPause.await(millis, isWanted);
            status.enter(State.OPEN, null);
        } catch (Throwable unreported) {
            // Flight Recorder may lack the same resource. The next accept tries again.
        }
    }

    /** Called when there are no file descriptors: resets one waiting connection with the reserved descriptor. */
    private int resetWaiting() throws IOException {
        reset(socket.accept()); // returns immediately: a waiting connection made the last accept fail
        return 1;
    }
}
