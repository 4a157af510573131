package org.freshet.internal.transport;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Supplier;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Closes sockets that don't get a channel. Any thread may call any method. */
public final class NewSockets {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(NewSockets.class);

    private NewSockets() {}

    /** Creates the channel of a socket that nothing else refers to yet; closes the socket if that fails. */
    public static <C> C newChannel(Closeable socket, Supplier<C> constructor) {
        try {
            return constructor.get();
        } catch (RuntimeException | Error e) {
            closeAfter(e, socket);
            throw e;
        }
    }

    /** Closes a socket because of a failure. If closing fails, too, that is added as a suppressed exception. */
    public static void closeAfter(Throwable failure, Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Closes an unused socket. */
    public static void closeQuietly(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            logger.debug("cannot close a new socket", e);
        }
    }
}
