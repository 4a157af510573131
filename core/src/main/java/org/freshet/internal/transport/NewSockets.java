package org.freshet.internal.transport;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Supplier;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Sees to it that a socket which gets no channel is closed. Any thread. */
public final class NewSockets {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(NewSockets.class);

    private NewSockets() {}

    /** Makes the channel of a socket that nothing else refers to yet; closes the socket if that fails. */
    public static <C> C newChannel(Closeable socket, Supplier<C> constructor) {
        try {
            return constructor.get();
        } catch (RuntimeException | Error e) {
            closeAfter(e, socket);
            throw e;
        }
    }

    /** Closes a socket because of a failure, which carries what goes wrong on top. */
    public static void closeAfter(Throwable failure, Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Closes a socket that nothing was done with. */
    public static void closeQuietly(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            logger.debug("a new socket could not be closed", e);
        }
    }
}
