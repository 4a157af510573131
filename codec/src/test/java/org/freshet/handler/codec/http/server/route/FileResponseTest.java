package org.freshet.handler.codec.http.server.route;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.server.CompressionRules;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.files.OpenFiles;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.Seeds;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions that answer with files, over real sockets. */
@Tag("crypto")
class FileResponseTest {
    enum Kind {
        NIO(NioServerSocketChannelFactory::new),
        NIO_COMPRESSED(NioServerSocketChannelFactory::new),
        OIO(OioServerSocketChannelFactory::new),
        TLS(NioServerSocketChannelFactory::new),
        HTTP_2_TLS(NioServerSocketChannelFactory::new);

        private final Supplier<ChannelFactory> factory;

        Kind(Supplier<ChannelFactory> factory) {
            this.factory = factory;
        }
    }

    /** More than the socket buffers hold. */
    private static final int LARGE = 8 << 20;

    private final byte[] content = new byte[LARGE];
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final HashedWheelTimer timer = new HashedWheelTimer();
    private int maxPipelinedRequests = 1;
    private ServerBootstrap bootstrap;
    private InetSocketAddress address;
    private SSLContext trusting;

    @TempDir
    private Path folder;

    private Path large;

    @BeforeEach
    void makeFiles() throws IOException {
        Seeds.random().nextBytes(content);
        large = Files.write(folder.resolve("large.txt"), content);
        Files.writeString(folder.resolve("small.html"), "small");
        Files.createFile(folder.resolve("empty.json"));
    }

    @AfterEach
    void stop() {
        if (bootstrap != null) {
            bootstrap.releaseExternalResources();
        }
        timer.stop();
        executor.shutdownNow();
    }

    /** Before Java 21 a client can only be garbage collected, which closes its selector. */
    @AfterAll
    static void collectClients() {
        System.gc();
    }

    private org.freshet.handler.codec.http.HttpResponse later(RoutedRequest request) {
        try {
            return HttpResponses.file(folder.resolve(request.pathParameter("name")));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void serve(Kind kind) throws Exception {
        RequestHandler handler = RequestHandler.of(Router.builder()
                .get("/files/{name}", request -> HttpResponses.file(folder.resolve(request.pathParameter("name"))))
                .get("/typed", request -> HttpResponses.file(large, "application/x-large"))
                .async(
                        HttpMethod.GET,
                        "/later/{name}",
                        request -> CompletableFuture.supplyAsync(() -> later(request), executor))
                .build());
        HttpServerPipeline.Builder builder = HttpServerPipeline.builder(timer)
                .limits(HttpLimits.defaults().toBuilder()
                        .maxPipelinedRequests(maxPipelinedRequests)
                        .build())
                .aggregate(1000)
                .handler("application", () -> handler);
        if (kind == Kind.NIO_COMPRESSED) {
            builder.compress(CompressionRules.defaults());
        }
        boolean hasHttp2 = kind == Kind.HTTP_2_TLS;
        if (hasHttp2 || kind == Kind.TLS) {
            SelfSignedCertificate certificate = Certificates.named("localhost");
            SslContextBuilder context = SslContextBuilder.forServer(certificate.key(), certificate.cert());
            builder.tls((hasHttp2 ? context.applicationProtocols("h2", "http/1.1") : context).build());
            trusting = Certificates.trusting(certificate.cert());
        }
        if (hasHttp2) {
            builder.http2(Http2Settings.defaults());
        }
        bootstrap = new ServerBootstrap(kind.factory.get());
        bootstrap.setPipelineFactory(builder.build());
        address = (InetSocketAddress)
                bootstrap.bind(new InetSocketAddress("127.0.0.1", 0)).getLocalAddress();
    }

    private HttpClient client(Kind kind) {
        HttpClient.Builder client = HttpClient.newBuilder()
                .version(kind == Kind.HTTP_2_TLS ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
        return (trusting == null ? client : client.sslContext(trusting)).build();
    }

    private HttpResponse<byte[]> ask(HttpClient client, String method, String path, String... headers) {
        URI uri = URI.create((trusting == null ? "http" : "https") + "://localhost:" + address.getPort() + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return Await.result(
                client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray()), "the answer to " + path);
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("none");
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendFilesOneAfterTheOther(Kind kind) throws Exception {
        serve(kind);
        HttpClient client = client(kind);
        for (String path : new String[] {"/files/large.txt", "/later/large.txt", "/typed"}) {
            HttpResponse<byte[]> answer = ask(client, "GET", path);
            assertEquals(200, answer.statusCode());
            assertEquals(
                    path.equals("/typed") ? "application/x-large" : "text/plain; charset=utf-8",
                    header(answer, "Content-Type"));
            assertEquals(Integer.toString(LARGE), header(answer, "Content-Length"));
            assertArrayEquals(content, answer.body());
            assertEquals(
                    "small", new String(ask(client, "GET", "/files/small.html").body(), ISO_8859_1));
        }
        HttpResponse<byte[]> empty = ask(client, "GET", "/files/empty.json");
        assertEquals("200 0", empty.statusCode() + " " + header(empty, "Content-Length"));
        HttpResponse<byte[]> head = ask(client, "HEAD", "/files/large.txt");
        assertEquals("200 " + LARGE, head.statusCode() + " " + header(head, "Content-Length"));
        assertEquals(404, ask(client, "GET", "/files/nothing").statusCode());
        assertEquals(404, ask(client, "GET", "/later/nothing").statusCode());
        OpenFiles.awaitNone(folder);
    }

    @Test
    void shouldCompressAFile() throws Exception {
        serve(Kind.NIO_COMPRESSED);
        HttpResponse<byte[]> answer = ask(client(Kind.NIO), "GET", "/files/large.txt", "Accept-Encoding", "gzip");
        assertEquals("gzip", header(answer, "Content-Encoding"));
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            assertArrayEquals(content, in.readAllBytes());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerHeadWithTheHeadersOfGet(Kind kind) throws Exception {
        serve(kind);
        HttpClient client = client(kind);
        for (String path : new String[] {"/files/large.txt", "/later/large.txt", "/typed", "/files/small.html"}) {
            assertEquals(headers(client, "GET", path), headers(client, "HEAD", path));
        }
        OpenFiles.awaitNone(folder);
    }

    /** Without Date, because a second may pass between the two answers. */
    private Map<String, List<String>> headers(HttpClient client, String method, String path) {
        Map<String, List<String>> headers = new TreeMap<>(
                ask(client, method, path, "Accept-Encoding", "gzip").headers().map());
        headers.remove("date");
        return headers;
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO", "OIO"})
    void shouldCloseTheFileOfAClientThatDisconnects(Kind kind) throws Exception {
        OpenFiles.assumeKnown();
        serve(kind);
        try (Socket client = new Socket(address.getAddress(), address.getPort())) {
            client.getOutputStream().write("GET /files/large.txt HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(ISO_8859_1));
            client.getInputStream().readNBytes(1000);
            Await.until(() -> !OpenFiles.below(folder).isEmpty(), "the file to be open");
        }
        OpenFiles.awaitNone(folder);
    }

    /** The answer after a file must not get between its parts. */
    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void shouldAnswerPipelinedRequestsInOrder(int maxPipelined) throws Exception {
        maxPipelinedRequests = maxPipelined;
        serve(Kind.NIO);
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send("GET /later/large.txt HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /files/small.html HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /later/small.html HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            byte[] all = client.readToEnd();
            String text = new String(all, ISO_8859_1);
            int from = text.indexOf("\r\n\r\n") + 4;
            assertArrayEquals(content, Arrays.copyOfRange(all, from, from + LARGE));
            assertTrue(text.startsWith("HTTP/1.1 200 OK\r\n", from + LARGE), "the answer after the file");
            assertEquals(3, text.split("HTTP/1.1 200 OK\r\n", -1).length - 1);
            assertTrue(text.endsWith("\r\n\r\nsmall"));
        }
    }

    @Test
    void shouldCreateResponsesFromRegularFilesOnly() throws Exception {
        assertEquals(
                HttpResponseStatus.NOT_FOUND,
                assertThrows(HttpStatusException.class, () -> HttpResponses.file(folder))
                        .suggestedStatus());
        assertThrows(IllegalArgumentException.class, () -> HttpResponses.file(large, "a\r\nb"));
        assertEquals(
                "application/octet-stream",
                HttpResponses.file(Files.createFile(folder.resolve("no-extension")))
                        .headers()
                        .get("Content-Type"));
    }
}
