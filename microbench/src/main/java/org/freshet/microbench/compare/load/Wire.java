package org.freshet.microbench.compare.load;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A client's end of a connection, plain or through TLS, on a non-blocking channel. */
interface Wire extends Closeable {
    /** Reads once; returns how many bytes, 0 also when some came that are not bytes of a message, or -1 at the end. */
    int read(ByteBuffer target) throws IOException;

    /** Takes bytes as long as it can send them at once; returns how many. */
    int write(ByteBuffer source) throws IOException;

    /** Sends what was taken before; returns whether nothing of it is left. */
    boolean flush() throws IOException;

    /** Makes a wire of a blocking channel that is connected. */
    @FunctionalInterface
    interface Factory {
        Wire over(SocketChannel channel) throws IOException;
    }

    /** The channel as it is. */
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
