package org.freshet.internal.accept;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** The spare file descriptor of a server whose {@link AcceptLimits} ask for one. Belongs to the server's I/O thread. */
final class SpareDescriptor {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(SpareDescriptor.class);

    private final AcceptLimits limits;

    /** Null while no descriptor is held. */
    private SocketChannel spare;

    SpareDescriptor(AcceptLimits limits) {
        this.limits = limits;
    }

    /** Call this while there are descriptors. */
    void reserve() {
        if (spare == null && limits.keepsSpareDescriptor()) {
            try {
                spare = SocketChannel.open();
            } catch (IOException | RuntimeException e) {
                logger.debug("no descriptor is left to keep as a spare", e);
            }
        }
    }

    /**
     * Closes the descriptor, because the server is closed or the descriptor is needed.
     *
     * @return whether there was one
     */
    boolean release() {
        SocketChannel released = spare;
        spare = null;
        if (released == null) {
            return false;
        }
        try {
            released.close();
        } catch (IOException e) {
            logger.debug("failed to close the spare descriptor", e);
        }
        return true;
    }
}
