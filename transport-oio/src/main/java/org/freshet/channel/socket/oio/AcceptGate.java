package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.freshet.channel.Channel;
import org.freshet.internal.flight.Flight;
import org.freshet.internal.transport.Admission;
import org.freshet.internal.transport.ServerLimits;
import org.freshet.internal.transport.SpareDescriptor;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Asks the {@link ServerLimits}, resets what it refuses, and keeps a descriptor in reserve. The I/O thread of the server.
 *
 * <p>It asks after a connection was accepted, for to wait in accept would keep the room from other servers. Where connections have to wait,
 * the first of them waits here and the others in the backlog.
 */
final class AcceptGate {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(AcceptGate.class);

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Channel server;
    private final ServerLimits admission;
    private final BooleanSupplier isWanted;
    private final SpareDescriptor spare;

    /**
     * @param isWanted turns false, and the thread is unparked, when the server closes
     */
    AcceptGate(Channel server, ServerLimits admission, BooleanSupplier isWanted) {
        this.server = server;
        this.admission = admission;
        spare = new SpareDescriptor(admission);
        this.isWanted = isWanted;
    }

    // ---- connections ------------------------------------------------------------------------------------------------

    /** Returns whether the connection is to be set up; it was closed if not. Waits until there is room. */
    boolean admits(Socket accepted) {
        reserveDescriptor();
        if (awaitRoom() && admission.admit(accepted.getInetAddress()) == null) {
            return true;
        }
        reset(accepted);
        return false;
    }

    /** Returns false if the server closes instead. */
    private boolean awaitRoom() {
        Object pause = null;
        try {
            while (isWanted.getAsBoolean()) {
                long waitNanos = admission.reserve();
                if (waitNanos == 0) {
                    return true;
                }
                if (pause == null) {
                    pause = Flight.acceptPaused(admission.whyWait(waitNanos));
                }
                awaitRoom(waitNanos);
            }
            return false;
        } finally {
            if (pause != null) {
                Flight.acceptResumed(pause, server);
            }
        }
    }

    private void awaitRoom(long waitNanos) {
        if (waitNanos == Admission.UNTIL_ROOM) {
            Thread waiter = Thread.currentThread();
            admission.whenRoom(() -> LockSupport.unpark(waiter));
        }
        LockSupport.parkNanos(this, Math.min(waitNanos, LOOK_NANOS));
        Thread.interrupted(); // no interrupt is meant for this thread, and park would not wait any more
    }

    /** Counts an admitted connection until it is closed. */
    void follow(Channel child, Socket accepted) {
        InetAddress peer = accepted.getInetAddress();
        child.getCloseFuture().addListener(closed -> admission.leave(peer));
    }

    /** An admitted connection was not set up. */
    void leave(Socket accepted) {
        admission.leave(accepted.getInetAddress());
    }

    private static void reset(Socket accepted) {
        try (Socket closing = accepted) {
            closing.setSoLinger(true, 0);
        } catch (IOException e) {
            logger.debug("failed to reset a refused connection", e);
        }
    }

    // ---- the spare descriptor ---------------------------------------------------------------------------------------

    /** While there are descriptors. */
    void reserveDescriptor() {
        spare.reserve();
    }

    /** There are no descriptors: resets one of the connections that wait, in the place of the reserve. */
    void resetWaiting(ServerSocket server) {
        if (!spare.release()) {
            return;
        }
        try {
            reset(server.accept()); // at once: one that waits made the last accept fail
            admission.onShortage(1);
        } catch (IOException e) {
            logger.debug("another thread has taken the descriptor of the reserve", e);
        }
        reserveDescriptor();
    }

    /** The server is closed. */
    void releaseDescriptor() {
        spare.release();
    }
}
