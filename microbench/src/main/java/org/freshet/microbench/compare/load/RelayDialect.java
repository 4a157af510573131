package org.freshet.microbench.compare.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The way two connections become partners, so that each receives the other's messages. Both send the same name, and the
 * server greets both when it has the two. The client writes to one of them and reads from the other.
 */
public final class RelayDialect {
    /** A name is one int. */
    public static final int NAME_BYTES = Integer.BYTES;

    /** Sent by the server to both partners. */
    public static final byte GREETING = '+';

    private RelayDialect() {}

    /** Opens a partner for a blocking channel; the wire reads from it. */
    static Wire pair(SocketChannel channel) throws IOException {
        SocketChannel partner = SocketChannel.open(channel.getRemoteAddress());
        try {
            partner.setOption(StandardSocketOptions.TCP_NODELAY, true);
            int name = ((InetSocketAddress) channel.getLocalAddress()).getPort();
            say(name, channel);
            say(name, partner);
            awaitGreeting(channel);
            awaitGreeting(partner);
            moveOn(channel);
            partner.configureBlocking(false);
            return new Pair(channel, partner);
        } catch (IOException | RuntimeException e) {
            partner.close();
            throw e;
        }
    }

    private static void say(int name, SocketChannel channel) throws IOException {
        channel.write(ByteBuffer.allocate(NAME_BYTES).putInt(name).flip());
    }

    private static void awaitGreeting(SocketChannel channel) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        if (channel.read(one) < 0) {
            throw new EOFException("the server closed a connection before it had a partner");
        }
        if (one.get(0) != GREETING) {
            throw new IOException("not the greeting: " + one.get(0));
        }
    }

    /**
     * Opens and closes an extra connection. A server with two loops assigns connections in turn, so the next pair
     * begins on the other loop, and both loops read from the same number of connections.
     */
    private static void moveOn(SocketChannel channel) throws IOException {
        SocketChannel.open(channel.getRemoteAddress()).close();
    }

    private record Pair(SocketChannel in, SocketChannel out) implements Wire {
        @Override
        public int read(ByteBuffer target) throws IOException {
            return in.read(target);
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            return out.write(source);
        }

        @Override
        public boolean flush() {
            return true;
        }

        @Override
        public void close() throws IOException {
            try (in) {
                out.close();
            }
        }
    }
}
