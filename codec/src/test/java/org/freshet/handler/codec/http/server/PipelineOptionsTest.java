package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.files.StaticFiles;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestFunction;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http.server.route.RoutedRequest;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.TrustingAll;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.ScriptedPeer;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How the options of a builder work together, and what it refuses to build. HttpServerPipelineMatrixTest covers each
 * option alone, over every protocol.
 */
@Tag("crypto")
class PipelineOptionsTest {
    private final HashedWheelTimer timer = new HashedWheelTimer();
    private ServerBootstrap bootstrap;

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        if (bootstrap != null) {
            bootstrap.releaseExternalResources();
        }
        timer.stop();
    }

    private HttpServerPipeline.Builder builder() {
        return HttpServerPipeline.builder(timer).date(false).aggregate(1000);
    }

    private InetSocketAddress serve(HttpServerPipeline.Builder builder) {
        bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory(1));
        bootstrap.setPipelineFactory(builder.build());
        return (InetSocketAddress)
                bootstrap.bind(new InetSocketAddress("127.0.0.1", 0)).getLocalAddress();
    }

    private static HttpServerPipeline.Builder answer(HttpServerPipeline.Builder builder, RequestFunction function) {
        RequestHandler handler = RequestHandler.of(function);
        return builder.handler("application", () -> handler);
    }

    private static String ask(InetSocketAddress address, String... lines) throws Exception {
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send(String.join("\r\n", lines) + "\r\nHost: a.example\r\nConnection: close\r\n\r\n");
            return new String(client.readToEnd(), ISO_8859_1);
        }
    }

    // ---- forwarded ----

    private static HttpResponse source(RoutedRequest request) {
        RequestSource source = request.source();
        return HttpResponses.text(source.scheme()
                + ' '
                + source.authority()
                + ' '
                + ((InetSocketAddress) source.address()).getHostString());
    }

    @Test
    void shouldIdentifyTheClientToHandlersAndTheLog() throws Exception {
        BlockingQueue<AccessLogEntry> logged = new LinkedBlockingQueue<>();
        InetSocketAddress address = serve(answer(builder(), PipelineOptionsTest::source)
                .forwarded(TrustedProxies.xForwarded("127.0.0.0/8").withProto())
                .accessLog(entry -> {
                    logged.add(entry);
                    return null;
                }));
        assertTrue(ask(address, "GET / HTTP/1.1", "X-Forwarded-For: 192.0.2.7", "X-Forwarded-Proto: https")
                .endsWith("https a.example 192.0.2.7"));
        AccessLogEntry entry = logged.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        assertEquals(new InetSocketAddress("192.0.2.7", 0), entry.clientAddress());
        assertEquals("127.0.0.1", ((InetSocketAddress) entry.remoteAddress()).getHostString());
        assertTrue(AccessLogFormat.common().format(entry).startsWith("192.0.2.7 - - ["));
        String json = AccessLogFormat.json().format(entry);
        assertTrue(json.contains("\"remote\":\"192.0.2.7\",\"proxy\":\"127.0.0.1\""), json);
    }

    @Test
    void shouldIgnoreHeadersOfUntrustedPeers() throws Exception {
        InetSocketAddress address = serve(
                answer(builder(), PipelineOptionsTest::source).forwarded(TrustedProxies.xForwarded("10.0.0.0/8")));
        assertTrue(ask(address, "GET / HTTP/1.1", "X-Forwarded-For: 192.0.2.7", "X-Forwarded-Proto: https")
                .endsWith("http a.example 127.0.0.1"));
    }

    private static String get(String client) {
        return "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: " + client + "\r\n\r\n";
    }

    private static String addressOf(RequestSource source) {
        return ((InetSocketAddress) source.address()).getHostString();
    }

    /** A proxy sends requests of several clients on one connection. */
    @Test
    void shouldNotMistakeAnotherClientForThatOfAnAnsweredRequest() {
        List<RoutedRequest> routed = new ArrayList<>();
        CompletableFuture<HttpResponse> first = new CompletableFuture<>();
        WireExchange wire = new WireExchange(
                new HttpServerCodec(),
                new ForwardedHandler(TrustedProxies.xForwarded("0.0.0.0/0", "::/0")),
                new HttpChunkAggregator(1000),
                RequestHandler.ofAsync(request -> {
                    routed.add(request);
                    return routed.size() == 1 ? first : new CompletableFuture<>();
                }));
        wire.receive(get("192.0.2.7"));
        first.complete(HttpResponses.text("first"));
        wire.receive(get("192.0.2.8"));
        assertEquals(2, routed.size());

        assertEquals("192.0.2.7", addressOf(routed.get(0).source()));
        assertEquals("192.0.2.8", addressOf(routed.get(1).source()));
        RequestSource forgotten = RequestSource.of(wire.channel(), routed.get(0).request());
        assertEquals(wire.channel().getRemoteAddress(), forgotten.address());
    }

    /** Behind a proxy that terminates TLS, the server's own pages have the origin that the client sees. */
    @Test
    void shouldKnowItsOwnOriginBehindAProxy() {
        for (boolean isTrusted : new boolean[] {true, false}) {
            TrustedProxies proxies = TrustedProxies.xForwarded(isTrusted ? "0.0.0.0/0" : "10.0.0.0/8", "::/128");
            ForwardedHandler forwarded =
                    new ForwardedHandler(proxies.withProto().withHost());
            WireExchange wire = new WireExchange(
                    new HttpServerCodec(),
                    forwarded,
                    new CorsHandler(CorsRules.builder().build(), true),
                    RequestHandler.of(request -> HttpResponses.text("in")));
            wire.receive("GET / HTTP/1.1\r\nHost: inner\r\nOrigin: https://shop.example\r\n"
                    + "X-Forwarded-Host: shop.example\r\nX-Forwarded-Proto: https\r\n\r\n");
            String sent = wire.sent();
            assertEquals(isTrusted ? 200 : 403, Connection.status(sent), sent);
        }
    }

    // ---- default headers ----

    @Test
    void shouldAddDefaultHeadersToAllFinalResponsesThatLackThem() throws Exception {
        InetSocketAddress address = serve(answer(builder(), request -> {
                    if (request.path().equals("/fails")) {
                        throw new IllegalArgumentException("a fault of the application");
                    }
                    HttpResponse response = HttpResponses.text("own");
                    response.headers().set("X-Frame-Options", "SAMEORIGIN");
                    return response;
                })
                .defaultHeader("X-Frame-Options", "DENY")
                .defaultHeader("Strict-Transport-Security", "max-age=60"));
        String own = ask(address, "GET / HTTP/1.1");
        assertTrue(own.contains("X-Frame-Options: SAMEORIGIN\r\n"), own);
        assertFalse(own.contains("DENY"), own);
        assertTrue(own.contains("Strict-Transport-Security: max-age=60\r\n"), own);
        for (String request : List.of("BAD", "CONNECT a:1 HTTP/1.1")) {
            String error = ask(address, request);
            assertTrue(error.contains("X-Frame-Options: DENY\r\n"), error);
        }
        String interim = ask(address, "POST / HTTP/1.1", "Expect: 100-continue", "Content-Length: 0");
        assertEquals(1, interim.split("Strict-Transport", -1).length - 1, interim);
    }

    @ParameterizedTest
    @CsvSource({"Content-Length,1", "connection,close", "Transfer-Encoding,chunked", "a b,c", "'',c"})
    void shouldRefuseInvalidDefaultHeaders(String name, String value) {
        assertThrows(IllegalArgumentException.class, () -> builder().defaultHeader(name, value));
        assertThrows(IllegalArgumentException.class, () -> new DefaultHeadersHandler(Map.of(name, value)));
        assertThrows(IllegalArgumentException.class, () -> builder().defaultHeader("a", "b\r\nc: d"));
    }

    // ---- time-outs ----

    @Test
    void shouldSetTheAnswerTimeoutWhateverTheOrderOfCalls() {
        PipelineSettings settings = new PipelineSettings();
        settings.responseTimeout = Duration.ofSeconds(3);
        settings.timeouts = HttpTimeouts.defaults().withIdle(Duration.ofSeconds(1));
        assertEquals(
                HttpTimeouts.defaults().withIdle(Duration.ofSeconds(1)).withResponse(Duration.ofSeconds(3)),
                settings.copy().timeouts);
        assertThrows(IllegalArgumentException.class, () -> builder().responseTimeout(Duration.ofSeconds(-1)));
        assertThrows(IllegalArgumentException.class, () -> builder().lingeringClose(-1, Duration.ofSeconds(1)));
        assertThrows(IllegalArgumentException.class, () -> builder().lingeringClose(0, Duration.ZERO));
    }

    // ---- names and certificates ----

    private static SslContext context(String name, String... protocols) throws Exception {
        SelfSignedCertificate certificate = Certificates.named(name);
        return SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .applicationProtocols(protocols)
                .build();
    }

    /** The certificate for a client that asks for a name, the negotiated protocol, and the answer over HTTP/1.1. */
    private static String meet(InetSocketAddress address, String name, String protocol) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, new TrustManager[] {new TrustingAll()}, null);
        try (SSLSocket socket =
                (SSLSocket) tls.getSocketFactory().createSocket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout((int) Await.LIMIT.toMillis());
            SSLParameters parameters = socket.getSSLParameters();
            if (name != null) {
                parameters.setServerNames(List.of(new SNIHostName(name)));
            }
            parameters.setApplicationProtocols(new String[] {protocol});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            String met = certificate.getSubjectX500Principal().getName() + ' ' + socket.getApplicationProtocol();
            if (protocol.equals("http/1.1")) {
                socket.getOutputStream()
                        .write(("GET / HTTP/1.1\r\nHost: " + (name == null ? "127.0.0.1" : name)
                                        + "\r\nConnection: close\r\n\r\n")
                                .getBytes(ISO_8859_1));
                String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
                met += answer.substring(answer.lastIndexOf('\n') + 1);
            }
            return met;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldChooseTheCertificateByName(boolean hasHttp2) throws Exception {
        String[] protocols = hasHttp2 ? new String[] {"h2", "http/1.1"} : new String[] {"http/1.1"};
        HttpServerPipeline.Builder builder = answer(builder(), request -> HttpResponses.text(" hello"))
                .tls(
                        context("other.example", protocols),
                        Map.of(
                                "a.example", context("a.example", protocols),
                                "*.B.example", context("b.example", protocols)));
        InetSocketAddress address = serve(hasHttp2 ? builder.http2(Http2Settings.defaults()) : builder);
        assertEquals("CN=a.example http/1.1 hello", meet(address, "a.example", "http/1.1"));
        assertEquals("CN=a.example http/1.1 hello", meet(address, "A.example", "http/1.1"));
        assertEquals("CN=b.example http/1.1 hello", meet(address, "x.b.example", "http/1.1"));
        assertEquals("CN=other.example http/1.1 hello", meet(address, "b.example", "http/1.1"));
        assertEquals("CN=other.example http/1.1 hello", meet(address, null, "http/1.1"));
        if (hasHttp2) {
            assertEquals("CN=b.example h2", meet(address, "x.b.example", "h2"));
        }
    }

    @Test
    void shouldMatchAStarWithExactlyOneLabel() throws Exception {
        SslContext other = context("other");
        SslContext star = context("star");
        SslContext exact = context("exact");
        TlsNames names = new TlsNames(other, Map.of("*.a.example", star, "x.a.example", exact));
        assertSame(star, names.contextOf("y.a.example"));
        assertSame(exact, names.contextOf("x.a.example"));
        assertSame(other, names.contextOf("y.x.a.example"));
        assertSame(other, names.contextOf("a.example"));
        assertSame(other, names.contextOf("localhost"));
        assertSame(other, names.contextOf(null));
        for (String bad : List.of("", "*", "*.", "a.*", "a:443", "a/b", "b\u00fccher.example", "[::1]", "127.0.0.1")) {
            assertThrows(IllegalArgumentException.class, () -> new TlsNames(other, Map.of(bad, star)), bad);
        }
        SslContext client = SslContextBuilder.forClient().build();
        assertThrows(IllegalArgumentException.class, () -> builder().tls(other, Map.of("a.example", client)));
    }

    // ---- files ----

    private static String target(InetSocketAddress address, String target) throws Exception {
        String answer = ask(address, "GET " + target + " HTTP/1.1");
        return answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length())
                + answer.substring(answer.indexOf("\r\n\r\n") + "\r\n\r\n".length());
    }

    @ParameterizedTest
    @CsvSource({
        "/page.txt,200page",
        "/with-index,'301301 Moved Permanently\n'",
        "/with-index/,200index",
        "/nothing,200application",
        "/without-index,200application",
        "/without-index/,200application",
        "/users/a%2Fb,200application",
        "/users/%zz,200application",
        "/..%2fsecret,200application",
        "/page.txt/,200application",
        "/.hidden,200application",
    })
    void shouldLeavePathsWithoutAFileToTheApplication(String path, String expected) throws Exception {
        Files.writeString(folder.resolve("page.txt"), "page");
        Files.writeString(folder.resolve(".hidden"), "hidden");
        Files.createDirectory(folder.resolve("without-index"));
        Files.writeString(Files.createDirectory(folder.resolve("with-index")).resolve("index.html"), "index");
        InetSocketAddress address = serve(answer(builder(), request -> HttpResponses.text("application"))
                .files(StaticFiles.under(folder).build()));
        assertEquals(expected, target(address, path));
    }

    @ParameterizedTest
    @CsvSource({
        "/files/page.txt,200page",
        "/files/nothing,'404404 Not Found\n'",
        "/files/%zz,'400400 Bad Request\n'",
        "/elsewhere,'404404 Not Found\n'",
    })
    void shouldAnswerEverythingIfThereAreOnlyFiles(String path, String expected) throws Exception {
        Files.writeString(folder.resolve("page.txt"), "page");
        InetSocketAddress address =
                serve(builder().files(StaticFiles.under(folder).prefix("/files").build()));
        assertEquals(expected, target(address, path));
    }

    /** Or the client would take the 404 for the response to the earlier request. */
    @Test
    void shouldAnswer404AfterAFirstHandlerThatAnswersLater() throws Exception {
        CompletableFuture<Channel> slow = new CompletableFuture<>();
        InetSocketAddress address = serve(builder()
                .limits(HttpLimits.defaults().toBuilder()
                        .maxPipelinedRequests(4)
                        .build())
                .files(StaticFiles.under(folder).prefix("/files").build())
                .firstHandler("slow", () -> new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        if (((HttpRequest) e.getMessage()).getUri().equals("/slow")) {
                            slow.complete(e.getChannel());
                        } else {
                            ctx.sendUpstream(e);
                            slow.join().write(WireExchange.response(200, "slow"));
                        }
                    }
                }));
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /elsewhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            String sent = new String(client.readToEnd(), ISO_8859_1);
            assertTrue(sent.startsWith("HTTP/1.1 200 OK\r\n") && sent.contains("slowHTTP/1.1 404 Not Found\r\n"), sent);
        }
    }

    // ---- what is refused ----

    private static void assertRefused(String message, HttpServerPipeline.Builder builder) {
        String said = assertThrows(IllegalStateException.class, builder::build).getMessage();
        assertTrue(said.contains(message), said);
    }

    @Test
    void shouldRefuseToBuildInvalidCombinations() throws Exception {
        assertRefused("nothing answers requests", builder());
        assertRefused(
                "the name of a handler is already taken: forwarded",
                builder().handler("forwarded", SimpleChannelUpstreamHandler::new));
        assertRefused(
                "allowConnect() needs a handler",
                builder().allowConnect().files(StaticFiles.under(folder).build()));
        HttpServerPipeline.Builder withoutH2 = answer(builder(), request -> null)
                .http2(Http2Settings.defaults())
                .tls(context("a", "h2", "http/1.1"), Map.of("b", context("b", "http/1.1")));
        assertRefused("http2(...) needs a TLS context that offers it", withoutH2);
        withoutH2.tls(context("a", "h2", "http/1.1")).build();
        HttpServerPipeline.Builder withoutHttp2 =
                answer(builder(), request -> null).tls(context("a", "h2"));
        assertRefused("the TLS context offers h2", withoutHttp2);
        withoutHttp2.http2(Http2Settings.defaults()).build();
    }

    @Test
    void shouldNotChangeABuiltPipeline() {
        HttpServerPipeline.Builder builder =
                HttpServerPipeline.builder(new FakeTimer()).handler("a", SimpleChannelUpstreamHandler::new);
        HttpServerPipeline built = builder.build();
        List<String> before = built.getPipeline().getNames();
        builder.handler("b", SimpleChannelUpstreamHandler::new)
                .defaultHeader("X-A", "b")
                .aggregate(10)
                .chunkedWrites();
        assertEquals(before, built.getPipeline().getNames());
    }
}
