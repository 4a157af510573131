package org.freshet.handler.codec.http.server.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.freshet.handler.codec.http.server.files.FileServer.Kind;
import org.freshet.handler.ssl.TrustingAll;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files over real sockets: copied by the system over NIO and OIO, as chunks over TLS, as frames over HTTP/2. */
@Tag("crypto")
class StaticFileServerTest {
    /** More than the socket buffers hold. */
    private static final int LARGE = 16 << 20;

    private static final Instant MODIFIED = Instant.parse("2026-01-02T03:04:05Z");

    private static byte[] content;

    @TempDir
    private Path folder;

    private FileServer server;
    private Path large;

    @BeforeEach
    void makeFiles() throws IOException {
        if (content == null) {
            byte[] random = new byte[LARGE];
            Seeds.random().nextBytes(random);
            content = random;
        }
        large = Files.write(folder.resolve("large.bin"), content);
        Files.setLastModifiedTime(large, FileTime.from(MODIFIED));
    }

    @AfterEach
    void closeServer() {
        server.close();
    }

    /** Before Java 21 a client can only be garbage collected, which closes its selector. */
    @AfterAll
    static void collectClients() {
        System.gc();
    }

    private void serve(Kind kind) throws Exception {
        server = new FileServer(
                kind, StaticFiles.under(folder).precompressed(true).build());
    }

    private static HttpClient newClient(HttpClient.Version version) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, new TrustManager[] {new TrustingAll()}, new SecureRandom());
        return HttpClient.newBuilder().version(version).sslContext(tls).build();
    }

    private HttpResponse<byte[]> get(HttpClient client, String target, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url(target)));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return Await.result(
                client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray()), "the answer to " + target);
    }

    // ---- whole conversations ----

    /** The JDK's client does not start HTTP/2 in plaintext. */
    @ParameterizedTest
    @EnumSource(names = "HTTP_2", mode = EnumSource.Mode.EXCLUDE)
    void shouldSendAFileThatIsLargerThanAllBuffers(Kind kind) throws Exception {
        serve(kind);
        HttpClient.Version version = kind.isHttp2() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1;
        HttpClient client = newClient(version);
        HttpResponse<byte[]> whole = get(client, "/large.bin");
        assertEquals(version, whole.version());
        assertEquals(200, whole.statusCode());
        assertArrayEquals(content, whole.body());
        String etag = whole.headers().firstValue("ETag").orElseThrow();

        HttpResponse<byte[]> range = get(client, "/large.bin", "Range", "bytes=1000000-9999999", "If-Range", etag);
        assertEquals(206, range.statusCode());
        assertArrayEquals(Arrays.copyOfRange(content, 1_000_000, 10_000_000), range.body());
        assertEquals(304, get(client, "/large.bin", "If-None-Match", etag).statusCode());

        HttpResponse<byte[]> ranges = get(client, "/large.bin", "Range", "bytes=-5000000,0-4999999");
        assertEquals(206, ranges.statusCode());
        String text = new String(ranges.body(), ISO_8859_1);
        assertTrue(text.contains(new String(content, 0, 5_000_000, ISO_8859_1)));
        assertTrue(text.contains(new String(content, LARGE - 5_000_000, 5_000_000, ISO_8859_1)));
        Await.until(() -> server.log.size() == 4, () -> "the log: " + server.log);
        assertEquals(
                List.of("GET /large.bin 200 " + LARGE, "GET /large.bin 206 9000000", "GET /large.bin 304 0"),
                server.log.subList(0, 3));
        assertEquals(List.of(), server.failures);
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO", "OIO"})
    void shouldAnswerAThousandPipelinedRequestsInOrder(Kind kind) throws Exception {
        int count = 1000;
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < count; i++) {
            if (i % 3 != 1) {
                Files.writeString(folder.resolve(i + ".txt"), ("file " + i + " ").repeat(i % 7 * 50));
            }
            requests.append("GET /").append(i).append(".txt HTTP/1.1\r\nHost: h\r\n\r\n");
        }
        requests.append("GET /large.bin HTTP/1.1\r\nHost: h\r\nRange: bytes=0-99999\r\n\r\n");
        requests.append("GET /0.txt HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        serve(kind);
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.setSoTimeout((int) Await.LIMIT.toMillis());
            Thread writer = new Thread(() -> write(socket, requests.toString()), "writer");
            writer.start();
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            for (int i = 0; i < count; i++) {
                String expected = i % 3 == 1 ? "404 Not Found\n" : ("file " + i + " ").repeat(i % 7 * 50);
                assertEquals(expected, new String(readAnswer(in), ISO_8859_1), "answer " + i);
            }
            assertArrayEquals(Arrays.copyOf(content, 100_000), readAnswer(in));
            readAnswer(in);
            assertEquals(-1, in.read());
            Await.end(writer);
        }
    }

    private static void write(Socket socket, String requests) {
        try {
            socket.getOutputStream().write(requests.getBytes(ISO_8859_1));
        } catch (IOException e) {
            throw new AssertionError("cannot send the requests", e);
        }
    }

    /** Reads a head and the content whose length it states. */
    private static byte[] readAnswer(DataInputStream in) throws IOException {
        int length = 0;
        for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring("Content-Length: ".length()));
            }
        }
        byte[] answer = new byte[length];
        in.readFully(answer);
        return answer;
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection ended in a head: " + line);
            }
            line.append((char) c);
        }
        return line.substring(0, line.length() - 1);
    }

    @Test
    void shouldFindFilesOnAnExecutor() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2, task -> new Thread(task, "files of a test"));
        try {
            server = new FileServer(
                    Kind.NIO, StaticFiles.under(folder).executor(executor).build());
            HttpClient client = newClient(HttpClient.Version.HTTP_1_1);
            for (int i = 0; i < 20; i++) {
                assertEquals(404, get(client, "/nothing").statusCode());
                HttpResponse<byte[]> answer =
                        get(client, "/large.bin", "Range", "bytes=" + i * 100 + "-" + (i * 100 + 50_000));
                assertArrayEquals(Arrays.copyOfRange(content, i * 100, i * 100 + 50_001), answer.body());
            }
            assertEquals(List.of(), server.failures);
        } finally {
            executor.shutdown();
        }
    }

    // ---- clients that disconnect, and files that disappear ----

    @ParameterizedTest
    @EnumSource(names = {"NIO", "OIO"})
    void shouldCloseTheFileOfAClientThatDisconnects(Kind kind) throws Exception {
        OpenFiles.assumeKnown();
        serve(kind);
        for (boolean reset : new boolean[] {false, true}) {
            Socket socket =
                    new Socket(server.address().getAddress(), server.address().getPort());
            socket.setSoTimeout((int) Await.LIMIT.toMillis());
            write(socket, "GET /large.bin HTTP/1.1\r\nHost: h\r\n\r\n".repeat(3));
            socket.getInputStream().readNBytes(100_000);
            assertEquals(1, OpenFiles.below(folder).size(), "one file at a time, however many are requested");
            if (reset) {
                socket.setSoLinger(true, 0);
            }
            socket.close();
            OpenFiles.awaitNone(folder);
        }
        Await.until(
                () -> server.log.stream().anyMatch(line -> line.matches("GET /large.bin 200 [1-9]\\d{5,} cut")),
                () -> "the log, with the bytes sent of the file: " + server.log);
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO", "OIO"})
    void shouldEndTheConnectionWhenTheFileIsCutShort(Kind kind) throws Exception {
        OpenFiles.assumeKnown();
        serve(kind);
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.setSoTimeout((int) Await.LIMIT.toMillis());
            write(socket, "GET /large.bin HTTP/1.1\r\nHost: h\r\n\r\nGET /large.bin HTTP/1.1\r\nHost: h\r\n\r\n");
            socket.getInputStream().readNBytes(100_000);
            try (FileChannel file = FileChannel.open(large, StandardOpenOption.WRITE)) {
                file.truncate(200_000);
            }
            long rest = 0;
            byte[] read = new byte[65536];
            try {
                for (int count = 0; count >= 0; count = socket.getInputStream().read(read)) {
                    rest += count;
                }
            } catch (SocketException e) {
                // reset, because the server had not read the second request
            }
            assertTrue(rest < LARGE, "bytes: " + rest);
        }
        OpenFiles.awaitNone(folder);
        Await.until(() -> server.log.stream().anyMatch(line -> line.endsWith(" cut")), () -> "the log: " + server.log);
    }
}
