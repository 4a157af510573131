package org.freshet.seams;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.Await;

/** Clients that send one request after another, reconnect after some, and check every answer. */
final class GoodClients {
    /** @param p99Micros of the requests, including connecting where necessary */
    record Figures(int requests, long medianMicros, long p99Micros, List<String> faults) {}

    private static final int CLIENTS = 4;
    private static final int REQUESTS_PER_CONNECTION = 30;
    private static final int FILE_BYTES = 40 * 1024;

    private final InetSocketAddress server;
    private final byte[] page;
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();

    private GoodClients(InetSocketAddress server, byte[] page) {
        this.server = server;
        this.page = page;
    }

    /**
     * Runs for a while.
     *
     * @param page the content of {@code /files/page.txt}
     */
    static Figures run(InetSocketAddress server, byte[] page, long seconds) {
        return new GoodClients(server, page).run(seconds);
    }

    private Figures run(long seconds) {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int index = i;
            Thread thread = new Thread(() -> askUntil(endNanos, index), "good client " + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            joinUntil(thread, endNanos);
        }
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        long median = sorted.length == 0 ? 0 : sorted[sorted.length / 2] / 1000;
        long p99 = sorted.length == 0 ? 0 : sorted[sorted.length * 99 / 100] / 1000;
        return new Figures(sorted.length, median, p99, List.copyOf(faults));
    }

    private static void joinUntil(Thread thread, long endNanos) {
        try {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime())));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        Await.end(thread);
    }

    private void askUntil(long endNanos, int index) {
        int round = index;
        while (System.nanoTime() - endNanos < 0 && faults.isEmpty()) {
            long startNanos = System.nanoTime();
            try (Connection connection = new Connection(server)) {
                for (int i = 0; i < REQUESTS_PER_CONNECTION && System.nanoTime() - endNanos < 0; i++) {
                    ask(connection, round++);
                    long now = System.nanoTime();
                    nanos.add(now - startNanos);
                    startNanos = now;
                }
            } catch (IOException | RuntimeException | AssertionError e) {
                faults.add("request " + round + ": " + e);
            }
        }
    }

    private void ask(Connection connection, int round) throws IOException {
        switch (round % 3) {
            case 0 ->
                require(
                        ("Hello, " + round + "!\n").getBytes(ISO_8859_1),
                        connection.ask("GET /?name=" + round + " HTTP/1.1\r\nHost: a\r\n\r\n", new byte[0]));
            case 1 -> require(page, connection.ask("GET /files/page.txt HTTP/1.1\r\nHost: a\r\n\r\n", new byte[0]));
            default -> {
                byte[] form = form();
                String head = "POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=ab\r\n"
                        + "Content-Length: " + form.length + "\r\n\r\n";
                require(("file=" + FILE_BYTES + "\n").getBytes(ISO_8859_1), connection.ask(head, form));
            }
        }
    }

    private static byte[] form() {
        return ("--ab\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n"
                        + "Content-Type: application/octet-stream\r\n\r\n" + "x".repeat(FILE_BYTES) + "\r\n--ab--\r\n")
                .getBytes(ISO_8859_1);
    }

    private static void require(byte[] expected, byte[] content) {
        if (!Arrays.equals(expected, content)) {
            throw new AssertionError("a wrong answer of " + content.length + " bytes: "
                    + new String(content, 0, Math.min(100, content.length), ISO_8859_1));
        }
    }

    /** Uses HTTP/1.1 and expects answers of known length. */
    private static final class Connection implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;

        Connection(InetSocketAddress server) throws IOException {
            socket = new Socket(server.getAddress(), server.getPort());
            socket.setSoTimeout((int) Await.LIMIT.toMillis());
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        }

        byte[] ask(String head, byte[] content) throws IOException {
            byte[] first = head.getBytes(ISO_8859_1);
            byte[] all = Arrays.copyOf(first, first.length + content.length);
            System.arraycopy(content, 0, all, first.length, content.length);
            socket.getOutputStream().write(all);
            String status = readLine();
            if (!status.equals("HTTP/1.1 200 OK")) {
                throw new AssertionError(status);
            }
            int length = -1;
            for (String line = readLine(); !line.isEmpty(); line = readLine()) {
                if (line.regionMatches(true, 0, "content-length: ", 0, 16)) {
                    length = Integer.parseInt(line.substring(16));
                }
            }
            byte[] answer = new byte[length];
            in.readFully(answer);
            return answer;
        }

        private String readLine() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int b = in.readUnsignedByte(); b != '\n'; b = in.readUnsignedByte()) {
                line.append((char) b);
            }
            return line.toString().stripTrailing();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
