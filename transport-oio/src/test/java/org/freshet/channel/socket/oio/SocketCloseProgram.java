package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.freshet.internal.time.SafetyTimer;

/** Closes a socket while the heap is full, and another thread is blocked in it. */
final class SocketCloseProgram {
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(20);

    private static volatile boolean hasThrown;

    private SocketCloseProgram() {}

    public static void main(String[] args) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 1, loopback);
                Socket socket = new Socket(loopback, server.getLocalPort());
                Socket peer = server.accept()) {
            Thread reader = new Thread(() -> readToEnd(socket));
            reader.setDaemon(true);
            reader.start();
            SocketClose close = new SocketClose(socket, failure -> {});
            Memory.rehearse();
            FullHeapProgram.fillHeap();
            tryClose(close);
            FullHeapProgram.keepFull();
            FullHeapProgram.releaseHeap();
            SafetyTimer
                    .ensureSharedRetries(); // as the next connection does: the timer's thread may have found no memory
            boolean wasThere = !socket.isClosed(); // otherwise there was memory for the close
            reader.join(PATIENCE_MILLIS);
            peer.setSoTimeout((int) PATIENCE_MILLIS);
            boolean hasPeerSeenIt = readToEnd(peer);
            System.out.println("waited=" + wasThere + " threw=" + hasThrown + " ended=" + !reader.isAlive() + " seen="
                    + hasPeerSeenIt);
        }
        System.exit(0);
    }

    private static void tryClose(SocketClose close) {
        try {
            close.run();
        } catch (OutOfMemoryError e) {
            hasThrown = true;
        }
    }

    /** Returns whether the other side has closed. */
    private static boolean readToEnd(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return false;
        }
    }
}
