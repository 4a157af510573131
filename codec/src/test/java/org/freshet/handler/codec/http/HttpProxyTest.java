package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server with {@link HttpServerCodec} behind the proxies most commonly used in front of servers. */
class HttpProxyTest {
    private static final byte[] NOTHING = {};
    private static final int LARGE = 8 << 20;

    @TempDir
    private Path folder;

    private ReportingServer server;
    private ReverseProxy proxy;
    private SocketChannel connection;
    private InputStream input;

    @AfterEach
    void closeAll() throws IOException {
        if (connection != null) {
            connection.close();
        }
        if (proxy != null) {
            proxy.close();
        }
        server.close();
    }

    private void open(ReverseProxy.Kind kind) throws Exception {
        server = new ReportingServer(SocketTransport.NIO, false);
        proxy = new ReverseProxy(kind, server.address().getPort(), folder);
        reconnect();
    }

    private void reconnect() throws IOException {
        if (connection != null) {
            connection.close();
        }
        connection = proxy.connect();
        input = new BufferedInputStream(Channels.newInputStream(connection));
    }

    private void send(String latin1) throws IOException {
        send(latin1.getBytes(ISO_8859_1));
    }

    private void send(byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            connection.write(buffer);
        }
    }

    // ---- what the client receives ----

    /** Status and content, and the field of the trailer if it has one. */
    private String answer() throws IOException {
        return answer(true);
    }

    private String answer(boolean withContent) throws IOException {
        String status = line().substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length());
        List<String> headers = fields();
        String result = status + " ";
        if (!withContent || status.equals("204") || status.equals("304")) {
            return result;
        }
        if (headers.contains("transfer-encoding: chunked")) {
            StringBuilder content = new StringBuilder();
            for (int size = chunkSize(); size > 0; size = chunkSize()) {
                content.append(text(size));
                assertEquals("", line());
            }
            return result + content + String.join("", fields());
        }
        String length = headers.stream()
                .filter(header -> header.startsWith("content-length: "))
                .findFirst()
                .orElseThrow();
        return result + text(Integer.parseInt(length.substring("content-length: ".length())));
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private String text(int length) throws IOException {
        return new String(input.readNBytes(length), ISO_8859_1);
    }

    private List<String> fields() throws IOException {
        List<String> fields = new ArrayList<>();
        for (String field = line(); !field.isEmpty(); field = line()) {
            fields.add(field.toLowerCase(Locale.ROOT));
        }
        return fields;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = input.read(); c != '\n'; c = input.read()) {
            assertTrue(c >= 0, () -> "the connection ended in '" + line + "'");
            line.append((char) c);
        }
        return line.toString().stripTrailing();
    }

    private static String ok(String method, String target, byte[] content) {
        return "200 " + ReportingServer.report(method, target, content, "-");
    }

    private static String head(String line, String... fields) {
        return line + " HTTP/1.1\r\nHost: a\r\n" + String.join("\r\n", fields) + (fields.length == 0 ? "" : "\r\n")
                + "\r\n";
    }

    private static byte[] random(int length) {
        byte[] content = new byte[length];
        Seeds.random().nextBytes(content);
        return content;
    }

    // ---- tests ----

    @ParameterizedTest
    @EnumSource
    void shouldKeepTheConnectionToTheProxy(ReverseProxy.Kind kind) throws Exception {
        open(kind);
        int before = server.connections();
        for (int i = 1000; i < 1050; i++) {
            send(head("GET /" + i));
            assertEquals(ok("GET", "/" + i, NOTHING), answer());
            send(head("POST /" + i, "Content-Length: 3") + "abc");
            assertEquals(ok("POST", "/" + i, "abc".getBytes(US_ASCII)), answer());
        }
        assertEquals(1, server.connections() - before);
    }

    @ParameterizedTest
    @EnumSource
    void shouldServePipelinedRequests(ReverseProxy.Kind kind) throws Exception {
        open(kind);
        send(head("GET /1") + head("PUT /p", "Content-Length: 5") + "hello" + head("GET /untrailed") + head("GET /2"));
        assertEquals(ok("GET", "/1", NOTHING), answer());
        assertEquals(ok("PUT", "/p", "hello".getBytes(US_ASCII)), answer());
        assertEquals("200 " + ReportingServer.CHUNKS, answer());
        assertEquals(ok("GET", "/2", NOTHING), answer());
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerWithoutContent(ReverseProxy.Kind kind) throws Exception {
        open(kind);
        send(head("HEAD /long"));
        assertEquals("200 ", answer(false));
        send(head("GET /204"));
        assertEquals("204 ", answer());
        send(head("GET /304"));
        assertEquals("304 ", answer());
        send(head("HEAD /untrailed"));
        assertEquals("200 ", answer(false));
        send(head("GET /1"));
        assertEquals(ok("GET", "/1", NOTHING), answer());
    }

    @ParameterizedTest
    @EnumSource
    void shouldPassChunksInBothDirections(ReverseProxy.Kind kind) throws Exception {
        open(kind);
        byte[] content = random(100_000);
        send(head("PUT /c", "Transfer-Encoding: chunked"));
        for (int at = 0; at < content.length; at += 25_000) {
            send("61a8;x=y\r\n" + new String(content, at, 25_000, ISO_8859_1) + "\r\n");
        }
        send("0\r\n\r\n");
        assertEquals(ok("PUT", "/c", content), answer());
        send(head("GET /chunks", "TE: trailers"));
        assertTrue(answer().startsWith("200 " + ReportingServer.CHUNKS)); // the proxy may drop the trailer
        send(head("GET /long"));
        assertEquals("200 " + "x".repeat(ReportingServer.LONG), answer());
    }

    @ParameterizedTest
    @EnumSource
    void shouldReceiveALargeUpload(ReverseProxy.Kind kind) throws Exception {
        open(kind);
        byte[] content = random(LARGE);
        send(head("POST /p", "Content-Length: " + LARGE));
        CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return answer();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        send(content);
        assertEquals(ok("POST", "/p", content), Await.result(answer, "the answer"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldAskForContentThatAwaitsContinue(ReverseProxy.Kind kind) throws Exception {
        open(kind);
        byte[] content = random(50_000);
        send(head("POST /p", "Expect: 100-continue", "Content-Length: " + content.length));
        assertEquals("HTTP/1.1 100 Continue", line());
        assertEquals(List.of(), fields());
        send(content);
        assertEquals(ok("POST", "/p", content), answer());
    }

    /** Whether the proxy or the server refuses it, nothing after it is served, and no other client gets its answer. */
    @ParameterizedTest
    @EnumSource
    void shouldServeNothingAfterAMalformedRequest(ReverseProxy.Kind kind) throws Exception {
        open(kind);
        String smuggled = head("GET /smuggled");
        for (String malformed : List.of(
                head("POST /p", "Content-Length: 4", "Transfer-Encoding: chunked") + "0\r\n\r\n",
                head("POST /p", "Transfer-Encoding: chunked, identity") + "0\r\n\r\n",
                head("POST /p", "Transfer-Encoding: xchunked", "Content-Length: 0"),
                head("POST /p", "Content-Length: 0", "Content-Length: 5"),
                head("POST /p", "Transfer-Encoding: chunked") + "ffffffffffffffff1\r\n",
                head("POST /p", "Content-Length : 5"),
                head("GET /x y"),
                "GET /\r HTTP/1.1\r\nHost: a\r\n\r\n",
                head("G\0T /"))) {
            send(malformed + smuggled);
            connection.shutdownOutput();
            String answers = new String(input.readAllBytes(), ISO_8859_1);
            assertFalse(answers.contains("/smuggled"), () -> malformed + answers);
            reconnect();
            send(head("GET /next"));
            assertEquals(ok("GET", "/next", NOTHING), answer());
            reconnect();
        }
    }
}
