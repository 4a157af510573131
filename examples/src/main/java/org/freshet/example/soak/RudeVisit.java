package org.freshet.example.soak;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Rude clients, as found on the Internet, on plain sockets. The bytes they receive must be right as far as they go, and
 * the server must close the connections of those that vanish. Any number of threads.
 */
final class RudeVisit implements AutoCloseable {
    private static final int MAX_BYTES = 50_000;
    private static final int MAX_STALL_MILLIS = 1000;
    private static final int MAX_WAIT_MILLIS = 60_000;

    /** Time by which the server must have closed an idle connection. */
    private static final long MAX_SILENCE_NANOS = 3 * SoakServer.SILENCE.toNanos();

    private record Vanished(Socket socket, Service service, long sinceNanos) {}

    private final Queue<Vanished> vanished = new ConcurrentLinkedQueue<>();

    /** Resets the connection in the middle of a message, with answers in transit. */
    void reset(Guest guest) throws IOException {
        try (Socket socket = connect(guest, anyService(guest))) {
            socket.getOutputStream().write(request(guest.upTo(MAX_BYTES)));
            socket.setSoLinger(true, 0);
        }
    }

    /** Sends, reads nothing for a while, then reads everything. */
    void stall(Guest guest) throws IOException, WrongException, InterruptedException {
        byte[] bytes = request(MAX_BYTES);
        try (Socket socket = connect(guest, Service.ECHO)) {
            socket.getOutputStream().write(bytes);
            Thread.sleep(guest.upTo(MAX_STALL_MILLIS));
            byte[] echo = socket.getInputStream().readNBytes(bytes.length);
            checkBeginning(echo, bytes);
            if (echo.length < bytes.length && !guest.server().isDrained()) {
                throw new WrongException("a client that stalled received " + echo.length + " of " + bytes.length);
            }
        }
    }

    /** Ends its output after the last byte. */
    void halfClose(Guest guest) throws IOException, WrongException {
        byte[] bytes = request(guest.upTo(MAX_BYTES));
        try (Socket socket = connect(guest, Service.ECHO)) {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            checkBeginning(socket.getInputStream().readAllBytes(), bytes);
        }
    }

    /** Stops in the middle of a message, and sends nothing more. */
    void vanish(Guest guest) throws IOException, WrongException {
        Service service = anyService(guest);
        Socket socket = connect(guest, service);
        vanished.add(new Vanished(socket, service, System.nanoTime()));
        socket.getOutputStream().write(request(guest.upTo(100)));
        for (Vanished oldest = vanished.peek();
                oldest != null && System.nanoTime() - oldest.sinceNanos > MAX_SILENCE_NANOS;
                oldest = vanished.peek()) {
            if (vanished.remove(oldest)) {
                checkClosed(oldest);
            }
        }
    }

    /** Closes the vanished connections that are still open. */
    @Override
    public void close() throws IOException {
        for (Vanished one : vanished) {
            one.socket.close();
        }
    }

    private static Socket connect(Guest guest, Service service) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(MAX_WAIT_MILLIS);
        socket.connect(guest.address(service), MAX_WAIT_MILLIS);
        return socket;
    }

    private static Service anyService(Guest guest) {
        return Service.values()[guest.random().nextInt(Service.values().length)];
    }

    /** Returns the beginning of a request with content; for an echo, any bytes. */
    private static byte[] request(int length) {
        String head = "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n";
        return (head + Guest.text(length, MAX_BYTES)).substring(0, length).getBytes(StandardCharsets.US_ASCII);
    }

    private static void checkBeginning(byte[] echo, byte[] bytes) throws WrongException {
        if (echo.length > bytes.length || Arrays.mismatch(echo, Arrays.copyOf(bytes, echo.length)) >= 0) {
            throw new WrongException("a rude client received something other than its own bytes");
        }
    }

    private static void checkClosed(Vanished one) throws IOException, WrongException {
        try (Socket socket = one.socket;
                InputStream in = socket.getInputStream()) {
            socket.setSoTimeout(1);
            in.readAllBytes();
        } catch (SocketTimeoutException stillOpen) {
            throw new WrongException("an idle connection to " + one.service + " is still open after "
                    + MAX_SILENCE_NANOS / 1_000_000_000 + " s");
        } catch (IOException reset) {
            // Also means closed.
        }
    }
}
