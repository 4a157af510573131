package org.freshet.microbench.compare.server;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Settings that all servers must share for a fair comparison. */
final class Servers {
    static final int BACKLOG = 1024;

    private Servers() {}

    static InetSocketAddress anyLoopbackPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    static int portOf(SocketAddress address) {
        return ((InetSocketAddress) address).getPort();
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            // The peer is gone, and closing was the goal.
        }
    }
}
