package org.freshet.microbench.transport;

import java.io.IOException;
import java.util.function.IntConsumer;
import org.freshet.microbench.Library;

/**
 * A connected channel of the library under test, with one I/O thread. Its {@link Peer} is a plain socket.
 *
 * <p>Any thread may call all methods.
 */
interface Connection {
    /**
     * Connects to {@code peer}.
     *
     * @param received called on the I/O thread with the number of bytes of each message
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
     * Writes a number of messages with these bytes.
     *
     * @param sent run on the I/O thread when the last message has left
     */
    void write(int messages, byte[] bytes, Runnable sent);

    /** Closes the channel and stops the I/O thread. */
    void close();
}
