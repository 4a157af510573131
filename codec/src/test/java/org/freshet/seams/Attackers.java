package org.freshet.seams;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.freshet.testing.Await;

/** Runs all attacks at the same time, one thread each, until this is closed. */
final class Attackers implements AutoCloseable {
    /** A pause between rounds; otherwise the attackers alone would keep a small machine busy. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int RECEIVE_BUFFER = 4 * 1024;

    private final InetSocketAddress server;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<AttackKind, AtomicInteger> rounds = new EnumMap<>(AttackKind.class);

    /** A thread blocked in a write is ended by closing its connection. */
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private volatile boolean isOver;

    Attackers(InetSocketAddress server, Collection<AttackKind> attacks) {
        this.server = server;
        for (AttackKind attack : attacks) {
            rounds.put(attack, new AtomicInteger());
            Thread thread = new Thread(() -> repeat(attack), "attacker " + attack);
            thread.start();
            threads.add(thread);
        }
    }

    /** How many rounds each attack has completed. */
    Map<AttackKind, AtomicInteger> rounds() {
        return rounds;
    }

    private void repeat(AttackKind attack) {
        try (Hands hands = new Hands(server, open)) {
            while (!isOver) {
                try {
                    attack.round(hands, rounds.get(attack).getAndIncrement());
                } catch (IOException refused) {
                    hands.drop();
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    public void close() {
        isOver = true;
        while (threads.stream().anyMatch(Thread::isAlive)) {
            open.forEach(socket -> Hands.close(socket, false));
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        threads.forEach(Await::end);
    }

    /** One attacker's connections: a current one, and a set of others. For its thread. */
    static final class Hands implements AutoCloseable {
        private static final int READ_MILLIS = 200;

        private final InetSocketAddress server;
        private final Set<Socket> open;
        private final List<Socket> many = new ArrayList<>();
        private final Deque<Socket> kept = new ArrayDeque<>();

        /** Null if there is no current connection. */
        private Socket current;

        Hands(InetSocketAddress server, Set<Socket> open) {
            this.server = server;
            this.open = open;
        }

        private Socket connect() throws IOException {
            Socket socket = new Socket();
            socket.setReceiveBufferSize(RECEIVE_BUFFER);
            socket.setSoTimeout(READ_MILLIS);
            socket.connect(server, READ_MILLIS);
            open.add(socket);
            open.removeIf(Socket::isClosed);
            return socket;
        }

        /** Sends {@code more} on each of the given number of connections, and {@code first} on the new ones. */
        void onEach(int count, String first, String more) throws IOException {
            while (many.size() < count) {
                Socket socket = connect();
                many.add(socket);
                write(socket, first);
            }
            many.removeIf(socket -> isGone(socket, more));
        }

        private static boolean isGone(Socket socket, String more) {
            try {
                write(socket, more);
                if (socket.getInputStream().available() > 0 && !more.isEmpty()) { // an answer to an incomplete request
                    socket.close();
                }
                return socket.isClosed();
            } catch (IOException e) {
                close(socket, false);
                return true;
            }
        }

        private static void write(Socket socket, String text) throws IOException {
            if (!text.isEmpty()) {
                socket.getOutputStream().write(text.getBytes(ISO_8859_1));
            }
        }

        void send(String latin1) throws IOException {
            if (current == null) {
                current = connect();
            }
            write(current, latin1);
        }

        void sendChunk(byte[] bytes) throws IOException {
            send(Integer.toHexString(bytes.length) + "\r\n" + new String(bytes, ISO_8859_1) + "\r\n");
        }

        /** Reads up to the given number of bytes, as long as any arrive. */
        void readSome(int bytes) throws IOException {
            byte[] block = new byte[4096];
            try {
                for (int left = bytes; left > 0; ) {
                    int read = current.getInputStream().read(block, 0, Math.min(left, block.length));
                    if (read < 0) {
                        return;
                    }
                    left -= read;
                }
            } catch (SocketTimeoutException e) {
                return; // the server has nothing more to send
            }
        }

        /** Sets the current connection aside, still open, and closes the oldest one beyond {@code most}. */
        void keep(int most) {
            kept.add(current);
            current = null;
            if (kept.size() > most) {
                close(kept.remove(), false);
            }
        }

        /** Leaves the current connection and the others, with a regular close or with resets. */
        void leave(boolean resets) {
            if (current != null) {
                close(current, resets);
                current = null;
            }
            many.forEach(socket -> close(socket, resets));
            many.clear();
        }

        /** The remains of a failed round. */
        void drop() {
            if (current != null) {
                close(current, false);
                current = null;
            }
        }

        private static void close(Socket socket, boolean resets) {
            try {
                if (resets) {
                    socket.setSoLinger(true, 0);
                }
                socket.close();
            } catch (IOException e) {
                return; // the server closed it first
            }
        }

        @Override
        public void close() {
            leave(false);
            kept.forEach(socket -> close(socket, false));
        }
    }

    /** HTTP/2 frames as text with one character per byte. */
    static final class Strings {
        private static final int END_HEADERS_AND_STREAM = 5;
        private static final int END_HEADERS = 4;

        private Strings() {}

        private static String frame(int type, int flags, int stream, String payload) {
            int length = payload.length();
            return "" + (char) (length >> 16) + (char) (length >> 8 & 0xff) + (char) (length & 0xff) + (char) type
                    + (char) flags + number(stream) + payload;
        }

        private static String number(int value) {
            return "" + (char) (value >>> 24) + (char) (value >> 16 & 0xff) + (char) (value >> 8 & 0xff)
                    + (char) (value & 0xff);
        }

        /** The preface, and SETTINGS with the window of each stream. */
        static String http2(int window) {
            return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, "\0\4" + number(window));
        }

        private static String head(char method, String path) {
            return "" + method + (char) 0x86 + (char) 4 + (char) path.length() + path + (char) 1 + (char) 1 + 'a';
        }

        /** Requests on streams from {@code first} on, each optionally followed by a reset. */
        static String gets(int first, int count, String path, boolean resets) {
            StringBuilder frames = new StringBuilder();
            for (int i = 0; i < count; i++) {
                int stream = first + 2 * i;
                frames.append(frame(1, END_HEADERS_AND_STREAM, stream, head((char) 0x82, path)));
                if (resets) {
                    frames.append(frame(3, 0, stream, number(8)));
                }
            }
            return frames.toString();
        }

        static String post(int stream) {
            return frame(1, END_HEADERS, stream, head((char) 0x83, "/"));
        }

        /** Content with one byte per frame. */
        static String smallData(int stream, int count) {
            return frame(0, 0, stream, "x").repeat(count);
        }

        static String pings(int count) {
            return frame(6, 0, 0, "12345678").repeat(count);
        }
    }
}
