package org.freshet.microbench.compare.server;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Queue;

/**
 * One thread polls all blocking sockets, one after the other, and waits up to a millisecond for each: before Java had
 * selectors, the way to serve many clients without a thread for each.
 *
 * <p>A round that found data is followed by the next one right away. After rounds without data the thread sleeps,
 * longer each time, until a new connection wakes it.
 *
 * <p>Socket wheels used to apply the time-out within an object, too: when it expired there, the bytes already read were
 * lost and the client waited forever. Here it applies only to the first byte.
 *
 * <p>{@link #turning} belongs to the wheel's thread; {@link #arrived} is shared under its own lock.
 */
final class SocketWheelServer implements PeerServer {
    private static final int LOOK_MILLIS = 1;
    private static final long NAP_AFTER_WORK_MILLIS = 6;
    private static final long LONGEST_NAP_MILLIS = 1000;

    private final List<ObjectConnection> turning = new LinkedList<>();
    private final Queue<ObjectConnection> arrived = new ArrayDeque<>();
    private final Thread wheel = new Thread(this::run, "wheel");
    private ServerSocket acceptor;
    private volatile boolean closed;

    @Override
    public int start() throws IOException {
        acceptor = new ServerSocket();
        acceptor.bind(Servers.anyLoopbackPort(), Servers.BACKLOG);
        wheel.start();
        new Thread(this::acceptAll, "acceptor").start();
        return acceptor.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        acceptor.close();
        wheel.interrupt();
        Servers.join(wheel);
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket socket = acceptor.accept();
                ObjectConnection connection = ObjectConnection.greeting(socket);
                synchronized (arrived) {
                    arrived.add(connection);
                    arrived.notifyAll();
                }
            }
        } catch (IOException e) {
            // Closed: the normal end.
        }
    }

    private void run() {
        long napMillis = NAP_AFTER_WORK_MILLIS;
        try {
            while (!closed) {
                takeArrived();
                if (serveAll()) {
                    napMillis = NAP_AFTER_WORK_MILLIS;
                } else {
                    napMillis = Math.min(napMillis * 3 / 2, LONGEST_NAP_MILLIS);
                    nap(napMillis);
                }
            }
        } catch (InterruptedException e) {
            // Closed: the normal end.
        } finally {
            turning.forEach(Servers::closeQuietly);
        }
    }

    private void takeArrived() {
        synchronized (arrived) {
            turning.addAll(arrived);
            arrived.clear();
        }
    }

    private void nap(long millis) throws InterruptedException {
        synchronized (arrived) {
            if (arrived.isEmpty()) {
                arrived.wait(millis);
            }
        }
    }

    /** Returns whether any of them had data. */
    private boolean serveAll() {
        boolean found = false;
        for (Iterator<ObjectConnection> all = turning.iterator(); all.hasNext(); ) {
            ObjectConnection connection = all.next();
            try {
                if (connection.hasSomethingWithin(LOOK_MILLIS)) {
                    connection.answerOne();
                    found = true;
                }
            } catch (IOException gone) {
                all.remove();
                Servers.closeQuietly(connection);
            }
        }
        return found;
    }
}
