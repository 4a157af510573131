package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.server.CompressionRules;
import org.freshet.handler.codec.http.server.CorsRules;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.HttpTimeouts;
import org.freshet.handler.codec.http.server.RequestSource;
import org.freshet.handler.codec.http.server.TrustedProxies;
import org.freshet.handler.codec.http.server.files.StaticFiles;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.websocketx.WebSocketServerConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.handler.stream.ChunkedStream;
import org.freshet.testing.Await;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each option of a ready-made pipeline, and all together, for each way in which a client may reach it: one request each. */
class HttpServerPipelineMatrixTest {
    /** How the server is set up, and what the client speaks. */
    enum Wire {
        HTTP_1(false, false, false),
        HTTP_1_BY_TLS(true, false, false),
        HTTP_1_CHOSEN(false, true, false),
        HTTP_1_BY_ALPN(true, true, false),
        HTTP_2_CHOSEN(false, true, true),
        HTTP_2_BY_ALPN(true, true, true);

        final boolean tls;
        final boolean serverHasHttp2;
        final boolean clientSpeaksHttp2;

        Wire(boolean tls, boolean serverHasHttp2, boolean clientSpeaksHttp2) {
            this.tls = tls;
            this.serverHasHttp2 = serverHasHttp2;
            this.clientSpeaksHttp2 = clientSpeaksHttp2;
        }
    }

    /** What is set, the request that shows it, and what the answer must have, in lower case. */
    enum Option {
        NONE((builder, test) -> {}, "GET /text", "", "200", TEXT),
        LIMITS(
                (builder, test) -> builder.limits(
                        HttpLimits.defaults().toBuilder().maxHeaders(3).build()),
                "GET /text",
                "x-a: 1\nx-b: 2\nx-c: 3\nx-d: 4",
                "431"),
        TIMEOUTS(
                (builder, test) -> builder.timeouts(HttpTimeouts.defaults().withIdle(Duration.ofSeconds(40))),
                "GET /text",
                "",
                "200",
                TEXT),
        LINGERING_CLOSE(
                (builder, test) -> builder.lingeringClose(1000, Duration.ofSeconds(1)), "GET /text", "", "200", TEXT),
        AGGREGATE((builder, test) -> builder.aggregate(1000), "POST /length", "", "200", "3 bytes"),
        CONTINUE_IF(
                (builder, test) -> builder.continueIf(request -> HttpResponseStatus.FORBIDDEN),
                "POST /length",
                "expect: 100-continue",
                "403"),
        ACCESS_LOG(
                (builder, test) -> builder.accessLog(entry -> {
                    test.logged.add(entry.target() + ' ' + entry.status());
                    return null;
                }),
                "GET /logged",
                "",
                "200"),
        COMPRESS(
                (builder, test) -> builder.compress(CompressionRules.defaults()),
                "GET /text",
                "accept-encoding: gzip",
                "200",
                "content-encoding: gzip"),
        CORS(
                (builder, test) -> builder.cors(CorsRules.builder()
                        .allow("https://a.example", rule -> {})
                        .build()),
                "GET /text",
                "origin: https://a.example",
                "200",
                "access-control-allow-origin: https://a.example",
                TEXT),
        FILES(
                (builder, test) -> builder.files(
                        StaticFiles.under(test.directory).prefix("/files").build()),
                "GET /files/a.txt",
                "",
                "200",
                "content of the file"),
        FILES_OR_APPLICATION(
                (builder, test) ->
                        builder.files(StaticFiles.under(test.directory).build()),
                "GET /no/..%2ffile",
                "",
                "200",
                TEXT),
        DEFAULT_HEADER(
                (builder, test) -> builder.defaultHeader("x-default", "yes"), "GET /text", "", "200", "x-default: yes"),
        FORWARDED(
                (builder, test) -> builder.forwarded(TrustedProxies.xForwarded("127.0.0.0/8")),
                "GET /source",
                "x-forwarded-for: 203.0.113.7\nx-forwarded-proto: https\nx-forwarded-host: shop.example",
                "200",
                "https://shop.example for /203.0.113.7:0"),
        ANSWER_TIMEOUT((builder, test) -> builder.answerTimeout(Duration.ofMillis(100)), "GET /unanswered", "", "503"),
        ERROR_PAGES(
                (builder, test) -> builder.errorPages((request, status, cause) -> HttpResponses.json("[503]"))
                        .answerTimeout(Duration.ofMillis(100)),
                "GET /unanswered",
                "",
                "503",
                "application/json",
                "[503]"),
        DECOMPRESS(
                (builder, test) -> builder.decompress(), "POST /length", "content-encoding: identity", "200", " bytes"),
        CHUNKED_WRITES((builder, test) -> builder.chunkedWrites(), "GET /chunked", "", "200", TEXT),
        WEB_SOCKET((builder, test) -> builder.handler("webSocket", test::webSocket), "GET /text", "", "200", TEXT);

        final BiConsumer<HttpServerPipeline.Builder, HttpServerPipelineMatrixTest> settings;
        final String request;
        final String header;
        final List<String> answer;

        Option(
                BiConsumer<HttpServerPipeline.Builder, HttpServerPipelineMatrixTest> settings,
                String request,
                String header,
                String... answer) {
            this.settings = settings;
            this.request = request;
            this.header = header;
            this.answer = List.of(answer);
        }
    }

    private static final String TEXT = "a text of the application; ".repeat(60);
    private static final String HANDSHAKE = "upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\n"
            + "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

    /** Refuse what others need; tested alone. */
    private static final Set<Option> NOT_WITH_OTHERS = Set.of(Option.LIMITS, Option.CONTINUE_IF);

    private static final SelfSignedCertificate CERTIFICATE = certificate();

    private static SelfSignedCertificate certificate() {
        try {
            return new SelfSignedCertificate("localhost");
        } catch (java.security.cert.CertificateException e) {
            throw new AssertionError(e);
        }
    }

    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final HashedWheelTimer timer = new HashedWheelTimer();

    @TempDir
    Path directory;

    private WebSocketServerProtocolHandler webSocket() {
        return new WebSocketServerProtocolHandler(
                WebSocketServerConfig.builder("/chat").timer(timer).build());
    }

    private static final class Application extends SimpleChannelUpstreamHandler {
        private static String text(ChannelHandlerContext ctx, HttpRequest request) {
            RequestSource source = RequestSource.of(ctx.getChannel(), request);
            return switch (request.getUri()) {
                case "/length" -> request.getContent().readableBytes() + " bytes";
                case "/source" -> source.scheme() + "://" + source.authority() + " for " + source.address();
                default -> TEXT;
            };
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (!(e.getMessage() instanceof HttpRequest request)) {
                return;
            }
            if (request.getUri().equals("/unanswered")) {
                return;
            }
            String text = text(ctx, request);
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "text/plain");
            HttpHeaders.setContentLength(response, text.length());
            boolean isChunked = request.getUri().equals("/chunked");
            if (!isChunked) {
                response.setContent(ChannelBuffers.copiedBuffer(text, ISO_8859_1));
            }
            ctx.getChannel().write(response);
            if (isChunked) {
                ctx.getChannel().write(new ChunkedStream(new ByteArrayInputStream(text.getBytes(ISO_8859_1)), 100));
            }
        }
    }

    /** Serves with the options, and passes what one client received on. */
    private String ask(Wire wire, Set<Option> options, String request, String... headers) throws Exception {
        Files.writeString(directory.resolve("a.txt"), "content of the file");
        HttpServerPipeline.Builder builder = HttpServerPipeline.builder(timer);
        options.forEach(option -> option.settings.accept(builder, this));
        if (wire.tls) {
            builder.tls(tls(wire));
        }
        if (wire.serverHasHttp2) {
            builder.http2(Http2Settings.defaults());
        }
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory(1));
        bootstrap.setPipelineFactory(
                builder.handler("application", Application::new).build());
        try {
            InetSocketAddress address = (InetSocketAddress)
                    bootstrap.bind(new InetSocketAddress("127.0.0.1", 0)).getLocalAddress();
            try (OneRequestClient client =
                    OneRequestClient.connect(address, wire.tls ? CERTIFICATE.cert() : null, wire.clientSpeaksHttp2)) {
                return client.ask(request, headers).toLowerCase(Locale.ROOT);
            }
        } finally {
            bootstrap.releaseExternalResources();
            timer.stop();
        }
    }

    private static SslContext tls(Wire wire) throws IOException {
        SslContextBuilder context = SslContextBuilder.forServer(CERTIFICATE.key(), CERTIFICATE.cert());
        return (wire.serverHasHttp2 ? context.applicationProtocols("h2", "http/1.1") : context).build();
    }

    private static void assertHas(String answer, List<String> wanted) {
        for (String part : wanted) {
            assertTrue(answer.contains(part.toLowerCase(Locale.ROOT)), () -> part + " is not in " + answer);
        }
    }

    static Stream<Arguments> everyOptionAndWire() {
        return Arrays.stream(Option.values())
                .flatMap(option -> Arrays.stream(Wire.values()).map(wire -> Arguments.of(option, wire)));
    }

    @ParameterizedTest
    @MethodSource("everyOptionAndWire")
    void shouldServeWithOneOption(Option option, Wire wire) throws Exception {
        String answer = ask(wire, Set.of(option), option.request, option.header.split("\n"));
        assertHas(answer, option.answer);
        if (option == Option.ACCESS_LOG) {
            Await.until(() -> logged.equals(List.of("/logged 200")), () -> "the access log; it has " + logged);
        }
    }

    static Stream<Arguments> everyOptionAndWireTogether() {
        return everyOptionAndWire()
                .filter(arguments ->
                        !NOT_WITH_OTHERS.contains((Option) arguments.get()[0]));
    }

    @ParameterizedTest
    @MethodSource("everyOptionAndWireTogether")
    void shouldServeWithAllOptions(Option option, Wire wire) throws Exception {
        List<Option> all = new ArrayList<>(List.of(Option.values()));
        all.removeAll(NOT_WITH_OTHERS);
        assertHas(ask(wire, Set.copyOf(all), option.request, option.header.split("\n")), option.answer);
    }

    @ParameterizedTest
    @EnumSource(names = "HTTP_1.*", mode = EnumSource.Mode.MATCH_ALL)
    void shouldSwitchToWebSocket(Wire wire) throws Exception {
        String answer = ask(wire, Set.of(Option.WEB_SOCKET), "GET /chat", HANDSHAKE.split("\r\n"));
        assertHas(answer, List.of("http/1.1 101", "sec-websocket-accept: "));
        assertEquals(1, answer.split("http/1.1", -1).length - 1, answer);
    }
}
