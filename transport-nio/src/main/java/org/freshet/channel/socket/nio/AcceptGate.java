package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.freshet.channel.Channel;
import org.freshet.internal.transport.Admission;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Asks the {@link Admission} of a server, resets what it refuses, and keeps a descriptor in reserve. Boss only.
 */
final class AcceptGate {
    /** Connections reset in a row for want of descriptors. */
    private static final int MAX_RESETS = 64;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(AcceptGate.class);

    private final Admission admission;

    /** Null while there is none to be had. */
    private SocketChannel spare;

    AcceptGate(Admission admission) {
        this.admission = admission;
    }

    Admission admission() {
        return admission;
    }

    // ---- connections ------------------------------------------------------------------------------------------------

    /** Returns whether the connection is to be set up; it was reset if not. */
    boolean admits(SocketChannel accepted, InetAddress peer) {
        if (admission.admit(peer)) {
            return true;
        }
        reset(accepted);
        return false;
    }

    /** Counts an admitted connection until it is closed. */
    void follow(Channel child, InetAddress peer) {
        child.getCloseFuture().addListener(closed -> admission.leave(peer));
    }

    /** Null if it is not known, for the peer is gone. */
    static InetAddress peerOf(SocketChannel accepted) {
        try {
            return accepted.getRemoteAddress() instanceof InetSocketAddress address ? address.getAddress() : null;
        } catch (IOException gone) {
            return null;
        }
    }

    private static void reset(SocketChannel accepted) {
        try (SocketChannel closing = accepted) {
            closing.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            logger.debug("failed to reset a refused connection", e);
        }
    }

    // ---- the spare descriptor ---------------------------------------------------------------------------------------

    /** While there are descriptors. */
    void reserveDescriptor() {
        if (spare == null && admission.keepsSpareDescriptor()) {
            try {
                spare = SocketChannel.open();
            } catch (IOException | RuntimeException e) {
                logger.debug("no descriptor is left for the reserve", e);
            }
        }
    }

    /** There are no descriptors: resets the connections that wait, each in the place of the reserve. */
    void resetWaiting(ServerSocketChannel server) {
        if (spare == null) {
            return;
        }
        releaseDescriptor();
        int count = 0;
        try {
            for (SocketChannel accepted; count < MAX_RESETS && (accepted = server.accept()) != null; count++) {
                reset(accepted);
            }
        } catch (IOException e) {
            logger.debug("another thread has taken the descriptor of the reserve", e);
        }
        admission.onShortage(count);
        reserveDescriptor();
    }

    /** The server is closed, or the descriptor is needed. */
    void releaseDescriptor() {
        SocketChannel released = spare;
        spare = null;
        if (released != null) {
            try {
                released.close();
            } catch (IOException e) {
                logger.debug("failed to close the descriptor in reserve", e);
            }
        }
    }
}
