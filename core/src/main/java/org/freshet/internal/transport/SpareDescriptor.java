package org.freshet.internal.transport;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** The file descriptor that a server keeps in reserve if its {@link Admission} wants one. The server's I/O thread. */
public final class SpareDescriptor {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(SpareDescriptor.class);

    private final Admission admission;

    /** Null while there is none to be had. */
    private SocketChannel spare;

    public SpareDescriptor(Admission admission) {
        this.admission = admission;
    }

    /** While there are descriptors. */
    public void reserve() {
        if (spare == null && admission.keepsSpareDescriptor()) {
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
    public boolean release() {
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
