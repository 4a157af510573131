package org.freshet.microbench.compare.server;

import java.io.Closeable;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.Socket;
import org.freshet.microbench.compare.load.ObjectDialect;

/** A socket with Java's object streams over it; one thread at a time uses it. */
final class ObjectConnection implements Closeable {
    private static final ObjectInputFilter NUMBERS = ObjectInputFilter.Config.createFilter(ObjectDialect.FILTER);

    private final Socket socket;
    private final ObjectOutputStream out;
    private final ObjectInputStream in;

    private ObjectConnection(Socket socket) throws IOException {
        this.socket = socket;
        out = new ObjectOutputStream(socket.getOutputStream());
        in = new ObjectInputStream(socket.getInputStream());
        in.setObjectInputFilter(NUMBERS);
    }

    /** Waits for the head of the client's stream and sends it the greeting. */
    static ObjectConnection greeting(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        ObjectConnection connection = new ObjectConnection(socket);
        connection.send(ObjectDialect.GREETING);
        return connection;
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
