package org.freshet.internal.accept;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** The file descriptor that a server keeps in reserve if its {@link AcceptLimits} ask for one. The server's I/O thread. */
final class SpareDescriptor {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(SpareDescriptor.class);

    private final AcceptLimits limits;

    /** Null while there is none. */
    private SocketChannel spare;

    SpareDescriptor(AcceptLimits limits) {
        this.limits = limits;
    }

    /** To be called while there are descriptors. */
    void reserve() {
        if (spare == null && limits.keepsSpareDescriptor()) {
            try {
                spare = SocketChannel.open();
            } catch (IOException | RuntimeException e) {
                logger.debug("no descriptor is left for the reserve", e);
            }
        }
    }

    /**
     * The server is closed, or the descriptor is needed.
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
            logger.debug("failed to close the descriptor in reserve", e);
        }
        return true;
    }
}
