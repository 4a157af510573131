package org.freshet.microbench.compare.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The oldest way: {@code java.net} sockets and a thread per connection. Only that thread uses its socket's streams. */
final class ThreadsServer implements PeerServer {
    private static final int BUFFER_BYTES = 8 * 1024;

    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Conversation conversation;
    private ServerSocket acceptor;

    /** A thread's work on its socket until one end closes it. */
    private interface Conversation {
        void with(Socket socket) throws IOException;
    }

    private ThreadsServer(Conversation conversation) {
        this.conversation = conversation;
    }

    static ThreadsServer of(Assignment assignment) {
        return new ThreadsServer(
                assignment.role() == Role.OBJECTS ? ThreadsServer::answerObjects : ThreadsServer::echo);
    }

    @Override
    public int start() throws IOException {
        acceptor = new ServerSocket();
        acceptor.bind(Servers.anyLoopbackPort(), Servers.BACKLOG);
        new Thread(this::acceptAll, "acceptor").start();
        return acceptor.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        acceptor.close();
        open.forEach(Servers::closeQuietly);
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket socket = acceptor.accept();
                open.add(socket);
                new Thread(() -> converse(socket), "connection").start();
            }
        } catch (IOException e) {
            // Closed: the normal end.
        }
    }

    private void converse(Socket socket) {
        try (socket) {
            conversation.with(socket);
        } catch (IOException e) {
            // The client is gone.
        } finally {
            open.remove(socket);
        }
    }

    private static void echo(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        byte[] buffer = new byte[BUFFER_BYTES];
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            out.write(buffer, 0, count);
        }
    }

    private static void answerObjects(Socket socket) throws IOException {
        ObjectConnection connection = ObjectConnection.greeting(socket);
        while (!socket.isClosed()) {
            connection.answerOne();
        }
    }
}
