package org.freshet.channel.socket.oio;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.time.SafetyTimer;

/**
 * The close of a socket in which an I/O thread may be blocked. If there is no memory for it, it is tried again every
 * second: nothing else ends that thread. Create it before the channel's state says closed, because that takes memory.
 *
 * <p>Belongs to the closing thread, and then to the timer.
 */
final class SocketClose {
    /** Enough for what the JDK allocates when it closes a socket. */
    private static final int CLOSE_BYTES = 4096;

    /** A field, so that no compiler leaves the allocation out. */
    private static volatile byte[] probe;

    private final Closeable socket;
    private final Consumer<IOException> onFailed;
    private final SafetyTimer.Pending again = SafetyTimer.spare(this::close);

    /** @param onFailed called with the failure of a close; the socket is closed nevertheless */
    SocketClose(Closeable socket, Consumer<IOException> onFailed) {
        this.socket = socket;
        this.onFailed = onFailed;
    }

    /** Throws nothing because memory is exhausted. */
    void run() {
        try {
            close();
        } catch (VirtualMachineError noMemory) {
            HeapReserve.onFailure(noMemory);
            again.retry();
        }
    }

    private void close() {
        probe = new byte[CLOSE_BYTES]; // throws while the close can be repeated: the JDK marks a socket closed first
        probe = null;
        try {
            socket.close(); // threads blocked in it get an exception
        } catch (IOException e) {
            onFailed.accept(e);
        }
    }
}
