package org.freshet.handler.codec.http.server.route;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.handler.codec.compression.ZlibStreams;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.handler.codec.http.server.CompressionRules;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.ScriptedPeer;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A router in the ready-made pipeline, over real sockets. */
@Tag("crypto")
class RequestHandlerServerTest {
    private static final String LARGE = "x".repeat(5_000_000);

    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final HashedWheelTimer timer = new HashedWheelTimer();
    private final CompletableFuture<HttpResponse> slow = new CompletableFuture<>();
    private ServerBootstrap bootstrap;
    private InetSocketAddress address;

    private Router router() {
        return Router.builder()
                .get("/users/{id}", request -> HttpResponses.text("user " + request.pathParameter("id")))
                .post("/echo", request -> HttpResponses.text(request.text()))
                .get("/large", request -> HttpResponses.text(LARGE))
                .get("/fail", request -> {
                    throw new IOException("a fault of the application");
                })
                .async(HttpMethod.GET, "/slow", request -> slow)
                .async(HttpMethod.GET, "/later", request -> CompletableFuture.supplyAsync(this::answerLater, executor))
                .async(
                        HttpMethod.GET,
                        "/fail-later",
                        request -> CompletableFuture.supplyAsync(this::failLater, executor))
                .build();
    }

    private HttpResponse answerLater() {
        return HttpResponses.json("{}");
    }

    private HttpResponse failLater() {
        throw new IllegalStateException("a fault of the application");
    }

    private void serve(SocketTransport transport, Consumer<HttpServerPipeline.Builder> settings) {
        RequestHandler handler = RequestHandler.of(router())
                .withErrorPage(
                        (request, status, cause) -> HttpResponses.json(status, "{\"s\":" + status.getCode() + "}"));
        HttpServerPipeline.Builder builder = HttpServerPipeline.builder(timer)
                .aggregate(64 * 1024)
                .compress(CompressionRules.defaults())
                .handler("application", () -> handler);
        settings.accept(builder);
        bootstrap = transport.newServer();
        bootstrap.setPipelineFactory(builder.build());
        Channel server = bootstrap.bind(new InetSocketAddress("127.0.0.1", 0));
        address = (InetSocketAddress) server.getLocalAddress();
    }

    @AfterEach
    void close() {
        bootstrap.releaseExternalResources();
        timer.stop();
        executor.shutdownNow();
    }

    /** Before Java 21 a client can only be garbage collected, which closes its selector. */
    @AfterAll
    static void collectClients() {
        System.gc();
    }

    // ---- HTTP/1.1 ----

    private static String request(String line) {
        return line + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    /** Reads one response whose head states the length of its content. */
    private static String read(ScriptedPeer client, boolean head) throws IOException {
        StringBuilder response = new StringBuilder();
        int length = 0;
        for (String line = client.readLine(); !line.isEmpty(); line = client.readLine()) {
            response.append(line).append('\n');
            length = line.startsWith("Content-Length: ") ? Integer.parseInt(line.substring(16)) : length;
        }
        return response.append('\n').append(head ? "" : client.readText(length)).toString();
    }

    private static void assertAnswer(String status, String content, String response) {
        assertTrue(response.startsWith("HTTP/1.1 " + status), response);
        assertEquals(content, response.substring(response.indexOf("\n\n") + 2));
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeOneConnectionWithEveryKindOfAnswer(SocketTransport transport) throws Exception {
        serve(transport, builder -> {});
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send(request("GET /users/%37"));
            assertAnswer("200", "user 7", read(client, false));
            client.send(request("GET http://a/users/8?x"));
            assertAnswer("200", "user 8", read(client, false));
            client.send(request("HEAD /users/9"));
            String head = read(client, true);
            assertAnswer("200", "", head);
            assertTrue(head.contains("\nContent-Length: 6\n"), head);
            client.send(request("GET /later"));
            assertAnswer("200", "{}", read(client, false));
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
            assertAnswer("200", "abc", read(client, false));
            client.send(request("GET /large"));
            assertAnswer("200", LARGE, read(client, false));
            client.send(request("OPTIONS /echo"));
            assertTrue(read(client, true).contains("\nAllow: OPTIONS, POST\n"));
            client.send(request("GET /echo"));
            assertAnswer("405", "{\"s\":405}", read(client, false));
            client.send(request("GET /nothing"));
            assertAnswer("404", "{\"s\":404}", read(client, false));
            client.send(request("GET /users/%"));
            assertAnswer("400", "{\"s\":400}", read(client, false));
            client.send(request("GET /users/10"));
            assertAnswer("200", "user 10", read(client, false));
        }
    }

    /** The second request is not decoded before the first one is answered. */
    @ParameterizedTest
    @EnumSource
    void shouldAnswerPipelinedRequestsInOrder(SocketTransport transport) throws Exception {
        serve(transport, builder -> {});
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send(
                    request("GET /slow") + request("GET /users/7") + request("GET /later") + request("GET /users/8"));
            executor.execute(() -> slow.complete(HttpResponses.text("slow")));
            assertAnswer("200", "slow", read(client, false));
            assertAnswer("200", "user 7", read(client, false));
            assertAnswer("200", "{}", read(client, false));
            assertAnswer("200", "user 8", read(client, false));
        }
    }

    /** The client reads the whole answer, then the end, and the log contains one message. */
    @ParameterizedTest
    @EnumSource
    void shouldAnswer500AndLogItOnce(SocketTransport transport) throws Exception {
        try (CapturedLog log = CapturedLog.start()) {
            serve(transport, builder -> {});
            for (String target : List.of("/fail", "/fail-later")) {
                try (ScriptedPeer client = ScriptedPeer.connect(address)) {
                    client.send(request("GET " + target));
                    String answer = new String(client.readToEnd(), ISO_8859_1);
                    assertTrue(answer.startsWith("HTTP/1.1 500 "), answer);
                    assertTrue(answer.contains("\r\nConnection: close\r\n"), answer);
                    assertTrue(answer.endsWith("\r\n\r\n{\"s\":500}"), answer);
                }
                log.awaitMessage(message -> message.cause() instanceof RequestFunctionException e
                        && e.getMessage().equals("GET " + target + ": the function failed"));
            }
            bootstrap.releaseExternalResources();
            long faults = log.messages().stream()
                    .filter(message -> message.cause() != null)
                    .count();
            assertEquals(2, faults, () -> log.messages().toString());
            CapturedLog.Message first = log.messages().stream()
                    .filter(message -> message.cause() != null)
                    .findFirst()
                    .orElseThrow();
            assertInstanceOf(IOException.class, first.cause().getCause());
        }
    }

    /** The aggregator's limit applies to the decompressed content. */
    @ParameterizedTest
    @EnumSource
    void shouldDecompressRequestsIfConfigured(SocketTransport transport) throws Exception {
        serve(transport, HttpServerPipeline.Builder::decompress);
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            for (String text : List.of("abc", "x".repeat(64 * 1024), "x".repeat(64 * 1024 + 1))) {
                byte[] coded = ZlibStreams.gzipped(text.getBytes(ISO_8859_1));
                client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: "
                        + coded.length + "\r\n\r\n");
                client.send(coded);
                boolean fits = text.length() <= 64 * 1024;
                assertAnswer(fits ? "200" : "413", fits ? text : "413 Request Entity Too Large\n", read(client, false));
            }
        }
    }

    /** Handlers receive the content as sent. */
    @Test
    void shouldLeaveRequestsCompressedByDefault() throws Exception {
        serve(SocketTransport.NIO, builder -> {});
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd");
            assertAnswer("200", "abcd", read(client, false));
        }
    }

    // ---- HTTP/2 ----

    private HttpClient serveHttp2() throws Exception {
        SelfSignedCertificate certificate = Certificates.named("localhost");
        var tls = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .applicationProtocols("h2", "http/1.1")
                .build();
        serve(SocketTransport.NIO, builder -> builder.tls(tls).decompress().http2(Http2Settings.defaults()));
        return HttpClient.newBuilder()
                .sslContext(Certificates.trusting(certificate.cert()))
                .version(HttpClient.Version.HTTP_2)
                .build();
    }

    private void assertAnswer(HttpClient client, String method, String target, int status, String content) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + address.getPort() + target))
                .method(method, method.equals("POST") ? BodyPublishers.ofString("abc") : BodyPublishers.noBody())
                .build();
        var response = Await.result(client.sendAsync(request, BodyHandlers.ofString()), "the answer to " + target);
        assertEquals(HttpClient.Version.HTTP_2, response.version());
        assertEquals(status, response.statusCode());
        assertEquals(content, response.body());
    }

    @Test
    void shouldDecompressHttp2Requests() throws Exception {
        HttpClient client = serveHttp2();
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + address.getPort() + "/echo"))
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(
                        ZlibStreams.gzipped("x".repeat(60_000).getBytes(ISO_8859_1))))
                .build();
        var response = Await.result(client.sendAsync(request, BodyHandlers.ofString()), "the answer");
        assertEquals(HttpClient.Version.HTTP_2, response.version());
        assertEquals("x".repeat(60_000), response.body());
    }

    @Test
    void shouldServeHttp2() throws Exception {
        HttpClient client = serveHttp2();
        assertAnswer(client, "GET", "/users/%37", 200, "user 7");
        assertAnswer(client, "HEAD", "/users/7", 200, "");
        assertAnswer(client, "POST", "/echo", 200, "abc");
        assertAnswer(client, "GET", "/later", 200, "{}");
        assertAnswer(client, "GET", "/large", 200, LARGE);
        assertAnswer(client, "GET", "/nothing", 404, "{\"s\":404}");
        assertAnswer(client, "PUT", "/echo", 405, "{\"s\":405}");
        assertAnswer(client, "OPTIONS", "/echo", 204, "");
        try (CapturedLog log = CapturedLog.start()) {
            assertAnswer(client, "GET", "/fail", HttpResponseStatus.INTERNAL_SERVER_ERROR.getCode(), "{\"s\":500}");
            log.awaitMessage(message -> message.cause() instanceof RequestFunctionException);
            assertAnswer(client, "GET", "/users/8", 200, "user 8");
        }
    }
}
