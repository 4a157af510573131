package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.server.ReadyServer.Kind;
import org.freshet.handler.codec.http.server.files.StaticFiles;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http.server.route.Router;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.execution.OrderedMemoryAwareThreadPoolExecutor;
import org.freshet.telemetry.LoopStats;
import org.freshet.telemetry.Telemetry;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The guarantees of a ready-made pipeline where two of its parts meet: order, bounds, blame and error answers. */
class ServerPipelinePromisesTest {
    private static final String GET = "GET %s HTTP/1.1\r\nHost: a\r\n\r\n";

    @TempDir
    Path folder;

    private final HashedWheelTimer timer = new HashedWheelTimer();
    private ServerBootstrap bootstrap;

    /** The channels on which requests arrived. */
    private final Queue<Channel> accepted = new ConcurrentLinkedQueue<>();

    /** How the application handles a request. */
    private interface Application {
        void handle(Channel channel, HttpRequest request) throws Exception;
    }

    private InetSocketAddress serve(Application application, Consumer<HttpServerPipeline.Builder> settings) {
        HttpServerPipeline.Builder builder =
                HttpServerPipeline.builder(timer).date(false).aggregate(64 * 1024);
        settings.accept(builder);
        builder.handler("application", () -> new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
                accepted.add(ctx.getChannel());
                application.handle(ctx.getChannel(), (HttpRequest) e.getMessage());
            }
        });
        bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(builder.build());
        return (InetSocketAddress)
                bootstrap.bind(new InetSocketAddress("127.0.0.1", 0)).getLocalAddress();
    }

    @AfterEach
    void stop() {
        if (bootstrap != null) {
            bootstrap.releaseExternalResources();
        }
        timer.stop();
    }

    private static void echo(Channel channel, HttpRequest request) {
        channel.write(WireExchange.response(200, request.getUri()));
    }

    private static String ok(String content) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + content.length() + "\r\n\r\n" + content;
    }

    // ---- order ----

    @Test
    void shouldAnswerInOrderEvenIfHandlersAnswerLater() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        AtomicInteger together = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try {
            InetSocketAddress address = serve(
                    (channel, request) -> {
                        most.accumulateAndGet(together.incrementAndGet(), Math::max);
                        pool.execute(() -> {
                            together.decrementAndGet();
                            echo(channel, request);
                        });
                    },
                    builder -> {});
            try (ScriptedPeer client = ScriptedPeer.connect(address)) {
                StringBuilder requests = new StringBuilder();
                StringBuilder answers = new StringBuilder();
                for (int i = 0; i < 200; i++) {
                    requests.append(GET.formatted("/" + i));
                    answers.append(ok("/" + i));
                }
                client.send(requests.toString());
                assertEquals(answers.toString(), client.readText(answers.length()));
            }
            assertEquals(1, most.get(), "requests at a time");
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void shouldNeverAnswerARequestWithTheAnswerToAnother() throws Exception {
        ExecutionHandler execution =
                new ExecutionHandler(new OrderedMemoryAwareThreadPoolExecutor(2, 1 << 20, 1 << 20));
        try {
            InetSocketAddress address = serve(
                    (channel, request) -> {
                        if (request.getUri().equals("/throw")) {
                            throw new IllegalStateException("a fault of the application");
                        }
                        echo(channel, request);
                    },
                    builder -> builder.firstHandler("execution", () -> execution));
            try (ScriptedPeer client = ScriptedPeer.connect(address)) {
                client.send(GET.formatted("/throw") + GET.formatted("/2"));
                String sent = new String(client.readToEnd(), ISO_8859_1);
                assertTrue(sent.startsWith("HTTP/1.1 500 "), sent);
                assertFalse(sent.contains("200 OK"), sent);
            }
        } finally {
            execution.releaseExternalResources();
        }
    }

    // ---- bounds ----

    @Test
    void shouldLimitTheAnswersToAClientThatDoesNotRead() throws Exception {
        Queue<Channel> channels = new ConcurrentLinkedQueue<>();
        AtomicInteger answered = new AtomicInteger();
        String large = "x".repeat(60_000);
        InetSocketAddress address = serve(
                (channel, request) -> {
                    channels.add(channel);
                    answered.incrementAndGet();
                    channel.write(WireExchange.response(200, large));
                },
                builder -> {});
        try (ScriptedPeer client = ScriptedPeer.connect(address, 4096)) {
            client.send(GET.formatted("/").repeat(2000));
            Await.until(() -> !channels.isEmpty() && !channels.peek().isWritable(), "a channel that is not writable");
            long held = WriteAccount.waitingBytes(channels.peek());
            assertTrue(held <= 4 * 64 * 1024, "queued bytes: " + held);
            int expected = ok(large).length();
            for (int i = 0; i < 2000; i++) {
                client.read(expected);
            }
            assertEquals(2000, answered.get());
        }
    }

    // ---- errors ----

    @Test
    void shouldAnswer500ToAnIoExceptionFromTheApplication() throws Exception {
        InetSocketAddress address = serve(
                (channel, request) -> {
                    throw new FileNotFoundException("template.html");
                },
                builder -> {});
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send(GET.formatted("/"));
            assertTrue(new String(client.readToEnd(), ISO_8859_1).startsWith("HTTP/1.1 500 "));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseConnectUnlessItIsAllowed(Kind kind) throws Exception {
        for (boolean allowed : new boolean[] {false, true}) {
            Consumer<HttpServerPipeline.Builder> settings =
                    allowed ? HttpServerPipeline.Builder::allowConnect : builder -> {};
            try (ReadyServer server = new ReadyServer(kind, settings);
                    ScriptedPeer client = ScriptedPeer.connect(server.address())) {
                client.send("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n");
                assertEquals(
                        allowed ? "HTTP/1.1 200 OK" : "HTTP/1.1 405 Method Not Allowed",
                        client.readLine().strip());
            }
        }
    }

    @Test
    void shouldLetAPageReadAnErrorAnswer() throws Exception {
        InetSocketAddress address = serve(
                (channel, request) -> {
                    throw new IllegalStateException("a fault of the application");
                },
                builder -> builder.cors(CorsRules.builder()
                                .allow("https://example.com", rule -> {})
                                .build())
                        .errorPages((request, status, cause) ->
                                WireExchange.response(200, "{\"code\":" + status.getCode() + "}")));
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nOrigin: https://example.com\r\n\r\n");
            String sent = new String(client.readToEnd(), ISO_8859_1);
            assertTrue(sent.startsWith("HTTP/1.1 500 "), sent);
            assertTrue(sent.contains("Access-Control-Allow-Origin: https://example.com\r\n"), sent);
            assertTrue(sent.endsWith("\r\n\r\n{\"code\":500}"), sent);
        }
    }

    /** The same page is used for errors of the pipeline, exceptions of handlers, and targets unknown to a router. */
    @Test
    void shouldUseOnePageForAllErrorAnswers() throws Exception {
        List<String> causes = new CopyOnWriteArrayList<>();
        ErrorPage page = (request, status, cause) -> {
            String target = request == null ? "none" : request.getUri();
            causes.add(target + " " + status.getCode() + " "
                    + (cause == null ? "unknown" : cause.getClass().getSimpleName()));
            return HttpResponses.json(status, "{\"of\":\"" + target + "\"}");
        };
        RequestHandler router = RequestHandler.of(Router.builder()
                        .get("/fail", request -> {
                            throw new IllegalStateException("a fault of the application");
                        })
                        .build())
                .withErrorPage(page);
        bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(HttpServerPipeline.builder(timer)
                .errorPages(page)
                .aggregate(1024)
                .handler("router", () -> router)
                .build());
        Channel server = bootstrap.bind(new InetSocketAddress("127.0.0.1", 0));
        for (String request : List.of(
                "GET /missing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                GET.formatted("/fail"),
                "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
                "GET /long HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n")) {
            try (ScriptedPeer client = ScriptedPeer.connect(server.getLocalAddress())) {
                client.send(request);
                String sent = new String(client.readToEnd(), ISO_8859_1);
                assertTrue(sent.contains("application/json") && sent.contains("{\"of\":"), sent);
            }
        }
        assertEquals(
                List.of(
                        "/missing 404 HttpStatusException",
                        "/fail 500 IllegalStateException",
                        "none 400 MalformedHttpMessageException",
                        "/long 413 MalformedHttpMessageException"),
                causes);
    }

    @Test
    void shouldAnswerEvenIfTheErrorPageFails() throws Exception {
        InetSocketAddress address = serve(
                (channel, request) -> {
                    throw new IllegalStateException("a fault of the application");
                },
                builder -> builder.errorPages((request, status, cause) -> {
                    throw new AssertionError("a fault of the error page");
                }));
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send(GET.formatted("/"));
            assertTrue(new String(client.readToEnd(), ISO_8859_1).endsWith("500 Internal Server Error\n"));
        }
    }

    // ---- blame ----

    @Test
    void shouldNotBlameAClientThatIsNotAllowedToSendYet() throws Exception {
        Queue<Channel> slow = new ConcurrentLinkedQueue<>();
        InetSocketAddress address = serve(
                (channel, request) -> {
                    if (request.getUri().equals("/slow")) {
                        slow.add(channel);
                    } else {
                        echo(channel, request);
                    }
                },
                builder -> builder.timeouts(HttpTimeouts.defaults()
                        .withMinRate(1024, Duration.ofMillis(100))
                        .withHead(Duration.ofMillis(300))));
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send(GET.formatted("/slow")
                    + "POST /upload HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
            Await.until(() -> !slow.isEmpty(), "the slow request");
            awaitTicks(8);
            slow.peek().write(WireExchange.response(200, "/slow"));
            assertEquals(ok("/slow"), client.readText(ok("/slow").length()));
            assertEquals("HTTP/1.1 100 Continue", client.readLine().strip());
            client.readLine();
            client.send("abc");
            assertEquals(ok("/upload"), client.readText(ok("/upload").length()));
        }
    }

    /** Lets the server's own timer run: everything that was due before it has been done. */
    private void awaitTicks(int count) {
        AtomicInteger ticks = new AtomicInteger();
        for (int i = 1; i <= count; i++) {
            timer.newTimeout(due -> ticks.incrementAndGet(), 100L * i, TimeUnit.MILLISECONDS);
        }
        Await.until(() -> ticks.get() == count, "ticks of the timer");
    }

    @Test
    void shouldAnswer503WhenNoHandlerDoes() throws Exception {
        InetSocketAddress address = serve(
                (channel, request) -> {},
                builder -> builder.timeouts(HttpTimeouts.defaults().withResponse(Duration.ofMillis(200))));
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send(GET.formatted("/"));
            assertTrue(new String(client.readToEnd(), ISO_8859_1).startsWith("HTTP/1.1 503 "));
        }
    }

    // ---- closing ----

    /** One client reads its answer and stays; the other doesn't read at all. */
    @ParameterizedTest
    @ValueSource(ints = {10, 20_000_000})
    void shouldWaitForAClientToCloseWithoutSpinning(int contentBytes) throws Exception {
        InetSocketAddress address = serve(
                (channel, request) -> channel.write(WireExchange.response(200, "x".repeat(contentBytes))),
                builder -> builder.lingeringClose(1000, Duration.ofMillis(500)));
        Channel channel;
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            Await.until(() -> !accepted.isEmpty(), "the connection");
            channel = accepted.remove();
            client.readText("HTTP/1.1 200 OK\r\n".length());
            long before = turns();
            Await.until(() -> !channel.isOpen(), "the end of the connection");
            assertTrue(turns() - before < 100, () -> turns() - before + " loop iterations");
        }
    }

    private long turns() {
        return Telemetry.loops(bootstrap.getFactory()).stream()
                .mapToLong(LoopStats::getIterations)
                .sum();
    }

    // ---- which part answers ----

    @Test
    void shouldServeFilesBeforeTheApplicationButAfterItsFirstHandlers() throws Exception {
        Files.writeString(folder.resolve("page.txt"), "page");
        InetSocketAddress address = serve(
                ServerPipelinePromisesTest::echo,
                builder -> builder.files(StaticFiles.under(folder).build())
                        .firstHandler("guard", () -> new SimpleChannelUpstreamHandler() {
                            @Override
                            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                                HttpRequest request = (HttpRequest) e.getMessage();
                                if (request.headers().contains("X-Stranger")) {
                                    ctx.getChannel().write(WireExchange.response(401, ""));
                                } else {
                                    ctx.sendUpstream(e);
                                }
                            }
                        }));
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send("GET /page.txt HTTP/1.1\r\nHost: a\r\nX-Stranger: 1\r\n\r\n"
                    + GET.formatted("/missing")
                    + "POST /page.txt HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
                    + "GET /page.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            String sent = new String(client.readToEnd(), ISO_8859_1);
            assertTrue(sent.startsWith("HTTP/1.1 401 "), sent);
            assertTrue(sent.contains(ok("/missing") + ok("/page.txt")), sent);
            assertTrue(sent.endsWith("\r\n\r\npage"), sent);
        }
    }

    @Test
    void shouldAddTheDate() throws Exception {
        InetSocketAddress address = serve(ServerPipelinePromisesTest::echo, builder -> builder.date(true));
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            String sent = new String(client.readToEnd(), ISO_8859_1);
            assertTrue(sent.matches("(?s).*\r\nDate: \\w{3}, \\d\\d \\w{3} \\d{4} [\\d:]{8} GMT\r\n.*"), sent);
        }
    }

    /** Whichever part answers: the application, a file, a preflight, an error. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAddOneDateToEveryAnswerOrToNone(boolean dated) throws Exception {
        Files.writeString(folder.resolve("page.txt"), "page");
        InetSocketAddress address = serve(
                ServerPipelinePromisesTest::echo,
                builder -> builder.date(dated)
                        .files(StaticFiles.under(folder).build())
                        .cors(CorsRules.builder().allowAny(rule -> {}).build()));
        try (ScriptedPeer client = ScriptedPeer.connect(address)) {
            client.send(GET.formatted("/") + GET.formatted("/page.txt")
                    + "OPTIONS / HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nAccess-Control-Request-Method: GET\r\n\r\n"
                    + "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n");
            String sent = new String(client.readToEnd(), ISO_8859_1);
            assertEquals(4, sent.split("HTTP/1.1 ", -1).length - 1, sent);
            assertEquals(dated ? 4 : 0, sent.split("\r\nDate: ", -1).length - 1, sent);
        }
    }

    @Test
    void shouldRefuseToBuildInvalidCombinations() {
        HttpServerPipeline.Builder empty = HttpServerPipeline.builder(timer);
        assertThrows(IllegalStateException.class, empty::build);
        empty.handler("codec", SimpleChannelUpstreamHandler::new);
        assertThrows(IllegalStateException.class, empty::build);
        HttpServerPipeline.Builder twice = HttpServerPipeline.builder(timer)
                .handler("a", SimpleChannelUpstreamHandler::new)
                .handler("a", SimpleChannelUpstreamHandler::new);
        assertThrows(IllegalStateException.class, twice::build);
    }
}
