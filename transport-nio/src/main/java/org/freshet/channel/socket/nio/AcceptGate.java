package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.freshet.channel.Channel;
import org.freshet.internal.transport.ServerLimits;
import org.freshet.internal.transport.SpareDescriptor;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Asks the {@link ServerLimits}, resets what it refuses, and keeps a descriptor in reserve. Boss only.
 */
final class AcceptGate {
    /** Connections reset in a row for want of descriptors. */
    private static final int MAX_RESETS = 64;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(AcceptGate.class);

    private final ServerLimits admission;
    private final SpareDescriptor spare;

    AcceptGate(ServerLimits admission) {
        this.admission = admission;
        spare = new SpareDescriptor(admission);
    }

    ServerLimits admission() {
        return admission;
    }

    // ---- connections ------------------------------------------------------------------------------------------------

    /** Returns whether the connection is to be set up; it was reset if not. */
    boolean admits(SocketChannel accepted, InetAddress peer) {
        if (admission.admit(peer) == null) {
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

    static void reset(SocketChannel accepted) {
        try (SocketChannel closing = accepted) {
            closing.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            logger.debug("failed to reset a refused connection", e);
        }
    }

    // ---- the spare descriptor ---------------------------------------------------------------------------------------

    /** While there are descriptors. */
    void reserveDescriptor() {
        spare.reserve();
    }

    /** There are no descriptors: resets the connections that wait, each in the place of the reserve. */
    void resetWaiting(ServerSocketChannel server) {
        if (!spare.release()) {
            return;
        }
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

    /** The server is closed. */
    void releaseDescriptor() {
        spare.release();
    }
}
