package org.freshet.microbench.compare.load;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A client's end of a connection, plain or with TLS, on a non-blocking channel. */
interface Wire extends Closeable {
    /** Reads once; returns the number of message bytes, which may be 0 even if bytes arrived, or -1 at the end. */
    int read(ByteBuffer target) throws IOException;

    /** Takes bytes as long as they can be sent immediately; returns how many. */
    int write(ByteBuffer source) throws IOException;

    /** Sends bytes taken before; returns whether nothing is left. */
    boolean flush() throws IOException;

    /** Creates a wire from a connected, blocking channel. */
    @FunctionalInterface
    interface Factory {
        Wire over(SocketChannel channel) throws IOException;
    }

    /** The channel itself. */
    record Plain(SocketChannel channel) implements Wire {
        @Override
        public int read(ByteBuffer target) throws IOException {
            return channel.read(target);
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            return channel.write(source);
        }

        @Override
        public boolean flush() {
            return true;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
