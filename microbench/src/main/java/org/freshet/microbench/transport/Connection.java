package org.freshet.microbench.transport;

import java.io.IOException;
import java.util.function.IntConsumer;
import org.freshet.microbench.Library;

/**
 * A connected channel of the library under test, driven by one I/O thread. Its {@link Peer} is a plain socket.
 *
 * <p>All methods may be called by any thread.
 */
interface Connection {
    /**
     * Connects to {@code peer}.
     *
     * @param received is told on the I/O thread how many bytes a message has
     */
    static Connection open(Library library, Peer peer, IntConsumer received) throws IOException, InterruptedException {
        Connection connection = switch (library) {
            case FRESHET -> new FreshetConnection(peer.address(), received);
            case NETTY3 -> new Netty3Connection(peer.address(), received);
            case NETTY4 -> new Netty4Connection(peer.address(), received);
        };
        peer.accept();
        return connection;
    }

    /** Runs a task on the I/O thread, soon. */
    void execute(Runnable task);

    /**
     * Writes messages of these bytes.
     *
     * @param sent is run on the I/O thread when the last one has left
     */
    void write(int messages, byte[] bytes, Runnable sent);

    /** Closes the channel and ends the I/O thread. */
    void close();
}
