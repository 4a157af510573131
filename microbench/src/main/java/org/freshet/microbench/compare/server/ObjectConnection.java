package org.freshet.microbench.compare.server;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PushbackInputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.freshet.microbench.compare.load.ObjectDialect;

/** A socket with Java's object streams; used by one thread at a time. */
final class ObjectConnection implements Closeable {
    private static final ObjectInputFilter NUMBERS = ObjectInputFilter.Config.createFilter(ObjectDialect.FILTER);

    private final Socket socket;
    private final ObjectOutputStream out;
    private final PushbackInputStream bytes;
    private final ObjectInputStream in;

    private ObjectConnection(Socket socket) throws IOException {
        this.socket = socket;
        out = new ObjectOutputStream(socket.getOutputStream());
        bytes = new PushbackInputStream(socket.getInputStream());
        in = new ObjectInputStream(bytes);
        in.setObjectInputFilter(NUMBERS);
    }

    /** Waits for the header of the client's stream and sends it the greeting. */
    static ObjectConnection greeting(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        ObjectConnection connection = new ObjectConnection(socket);
        connection.send(ObjectDialect.GREETING);
        return connection;
    }

    /** Returns whether an object begins to arrive within that time. */
    boolean hasSomethingWithin(int millis) throws IOException {
        socket.setSoTimeout(millis);
        try {
            int first = bytes.read();
            if (first < 0) {
                throw new EOFException("the client closed the connection");
            }
            bytes.unread(first);
            return true;
        } catch (SocketTimeoutException nothingThere) {
            return false;
        } finally {
            socket.setSoTimeout(0);
        }
    }

    void answerOne() throws IOException {
        try {
            send((Integer) in.readObject());
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }

    private void send(int number) throws IOException {
        out.writeObject(ObjectDialect.answerTo(number));
        out.flush();
        out.reset();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
