package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocketFactory;
import org.freshet.channel.ChannelPipeline;
import org.freshet.handler.codec.http.EndlessClient;
import org.freshet.handler.codec.http.server.ReadyServer.Kind;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.Recorder;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ready-made pipeline over real sockets, with misbehaving clients. */
class HttpServerPipelineTest {
    private static final int TLS_TRIES = Integer.getInteger("freshet.test.tlsTries", 3);

    private static final String GET = "GET %s HTTP/1.1\r\nHost: a\r\n\r\n";

    private static String answer(String content) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + content.length() + "\r\n\r\n" + content;
    }

    private static void assertServes(ReadyServer server, ScriptedPeer client, String target) throws IOException {
        client.send(GET.formatted(target));
        String expected = answer(target + " 0");
        assertEquals(expected, client.readText(expected.length()));
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepAConnectionAndAnswerInOrder(Kind kind) throws Exception {
        try (ReadyServer server = new ReadyServer(kind, builder -> {});
                ScriptedPeer client = ScriptedPeer.connect(server.address())) {
            assertServes(server, client, "/1");
            client.send(GET.formatted("/2")
                    + "POST /3 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                    + "GET /4 HTTP/1.0\r\n\r\n");
            String rest = new String(client.readToEnd(), ISO_8859_1);
            assertEquals(
                    answer("/2 0")
                            + answer("/3 3")
                            + answer("/4 0").replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"),
                    rest);
        }
    }

    // ---- errors -----------------------------------------------------------------------------------------------------

    /** The client never stops sending, and still reads the whole answer and the end after it, each time. */
    @ParameterizedTest
    @EnumSource
    void shouldLetAClientThatSendsForEverReadIts413(Kind kind) throws Exception {
        try (ReadyServer server = new ReadyServer(kind, builder -> {})) {
            for (int i = 0; i < 100; i++) {
                String framing = i % 2 == 0 ? "Content-Length: 1000000000000" : "Transfer-Encoding: chunked";
                String sent = sendForEver(server, framing, i % 2 == 0 ? "" : "10000\r\n");
                assertTrue(sent.startsWith("HTTP/1.1 413 "), "try " + i + ": " + sent);
                assertTrue(sent.endsWith("413 Request Entity Too Large\n"), "try " + i + ": " + sent);
            }
            assertEquals(List.of(), server.targets);
        }
    }

    private static String sendForEver(ReadyServer server, String framing, String chunkLine) throws IOException {
        byte[] piece = (chunkLine + "x".repeat(65536) + (chunkLine.isEmpty() ? "" : "\r\n")).getBytes(ISO_8859_1);
        return EndlessClient.converse(server.address(), "POST / HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n\r\n", piece);
    }

    /** The answer and the TLS close after it arrive, although the client keeps sending. */
    @ParameterizedTest
    @EnumSource
    void shouldLetAClientThatSendsForeverOverTlsReadIts413(Kind kind) throws Exception {
        SelfSignedCertificate certificate = Certificates.named("localhost");
        SslContext tls = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .build();
        SSLSocketFactory sockets = Certificates.trusting(certificate.cert()).getSocketFactory();
        try (ReadyServer server = new ReadyServer(kind, builder -> builder.tls(tls))) {
            for (int i = 0; i < TLS_TRIES; i++) {
                String sent = uploadForEver(sockets, server.address().getPort());
                assertTrue(sent.startsWith("HTTP/1.1 413 "), "try " + i + ": " + sent);
                assertTrue(sent.endsWith("413 Request Entity Too Large\n"), "try " + i + ": " + sent);
            }
            assertEquals(List.of(), server.targets);
        }
    }

    private static String uploadForEver(SSLSocketFactory sockets, int port) throws IOException {
        Thread sender;
        String sent;
        try (Socket plain = new Socket("127.0.0.1", port)) { // closing the TLS socket would wait for the sender
            Socket client = sockets.createSocket(plain, "127.0.0.1", port, false);
            client.setSoTimeout((int) Await.LIMIT.toMillis());
            client.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000000\r\n\r\n".getBytes(ISO_8859_1));
            sender = new Thread(() -> sendForEver(client), "a client that sends forever");
            sender.start();
            sent = new String(client.getInputStream().readAllBytes(), ISO_8859_1);
        }
        Await.end(sender);
        return sent;
    }

    private static void sendForEver(Socket client) {
        byte[] piece = new byte[16 * 1024];
        try {
            while (true) {
                client.getOutputStream().write(piece);
            }
        } catch (IOException closed) {
            // the client has read its answer, and closes
        }
    }

    /** An upload without end. */
    @ParameterizedTest
    @EnumSource
    void shouldLetCurlReadIts413(Kind kind) throws Exception {
        try (ReadyServer server = new ReadyServer(kind, builder -> {})) {
            for (int i = 0; i < 10; i++) {
                assertEquals("413 0", curl("-T", "-", server.url("/upload")), "try " + i);
            }
        }
    }

    /** Returns the status of the response, and curl's exit status. */
    private static String curl(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("curl", "-s", "-o", "/dev/null", "-m", "30", "-w", "%{http_code}"));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/zero"))
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            return Assumptions.abort("curl is not installed: " + e);
        }
        String status = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
        return status + " " + process.waitFor();
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerNothingAfterAnError(Kind kind) throws Exception {
        try (ReadyServer server = new ReadyServer(kind, builder -> {});
                ScriptedPeer client = ScriptedPeer.connect(server.address())) {
            client.send(GET.formatted("/1") + "GET /bad HTTP/1.1\r\nHost: a b\r\n\r\n" + GET.formatted("/3"));
            String sent = new String(client.readToEnd(), ISO_8859_1);
            assertTrue(sent.startsWith(answer("/1 0") + "HTTP/1.1 400 "), sent);
            assertEquals(3, sent.split("HTTP/1.1", -1).length, sent);
            assertEquals(List.of("/1"), server.targets);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseARequestWithoutHost(Kind kind) throws Exception {
        try (ReadyServer server = new ReadyServer(kind, builder -> {});
                ScriptedPeer client = ScriptedPeer.connect(server.address())) {
            client.send("GET / HTTP/1.1\r\n\r\n");
            assertEquals("HTTP/1.1 400 Bad Request", client.readLine());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswer500ToAHandlerThatThrowsAndLogItOnce(Kind kind) throws Exception {
        try (CapturedLog log = CapturedLog.start();
                ReadyServer server = new ReadyServer(kind, HttpServerPipelineTest::lingerBriefly);
                ScriptedPeer client = ScriptedPeer.connect(server.address())) {
            client.send(GET.formatted("/throw") + GET.formatted("/2"));
            String sent = new String(client.readToEnd(), ISO_8859_1);
            assertTrue(sent.startsWith("HTTP/1.1 500 "), sent);
            assertEquals(2, sent.split("HTTP/1.1", -1).length, sent);
            Await.until(() -> faults(log) > 0, "the log of the failure");
            assertServesNothing(server);
            assertEquals(1, faults(log));
        }
    }

    /** For clients that have sent everything: the server waits only briefly for them to close. */
    private static void lingerBriefly(HttpServerPipeline.Builder builder) {
        builder.lingeringClose(LingeringCloseHandler.DEFAULT_MAX_DISCARDED_BYTES, Duration.ofMillis(100));
    }

    private static void lingerAndTimeOutBriefly(HttpServerPipeline.Builder builder) {
        lingerBriefly(builder);
        builder.timeouts(SHORT);
    }

    private static long faults(CapturedLog log) {
        return log.messages().stream()
                .filter(message -> message.cause() instanceof IllegalStateException)
                .count();
    }

    // ---- slow clients -----------------------------------------------------------------------------------------------

    /** Long enough for a well-behaved client on a busy machine. */
    private static final HttpTimeouts SHORT = new HttpTimeouts(
            Duration.ofMillis(800), 1024, Duration.ofMillis(800), Duration.ofMillis(1600), Duration.ZERO);

    /** Sends one byte at a time until the connection ends; returns the answer. */
    private static String dribble(ReadyServer server, String beginning, CountDownLatch begun) throws Exception {
        try (ScriptedPeer client = ScriptedPeer.connect(server.address())) {
            client.send(beginning);
            begun.countDown();
            StringBuilder received = new StringBuilder();
            client.socket().setSoTimeout(10);
            while (true) {
                try {
                    int b = client.socket().getInputStream().read();
                    if (b < 0) {
                        return received.toString();
                    }
                    received.append((char) b);
                } catch (SocketTimeoutException noneYet) {
                    client.send("x");
                }
            }
        }
    }

    private static void assertHealthyMeanwhile(ReadyServer server, String beginning, String answer) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        String[] received = new String[1];
        Thread slow = new Thread(() -> {
            try {
                received[0] = dribble(server, beginning, begun);
            } catch (Exception e) {
                received[0] = e.toString();
            }
        });
        slow.start();
        Await.latch(begun, "the slow client");
        try (ScriptedPeer healthy = ScriptedPeer.connect(server.address())) {
            do {
                assertServes(server, healthy, "/healthy");
            } while (slow.isAlive());
        }
        Await.end(slow);
        assertTrue(received[0].startsWith(answer), received[0]);
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswer408ToASlowHeadAndServeOthersMeanwhile(Kind kind) throws Exception {
        try (ReadyServer server = new ReadyServer(kind, builder -> builder.timeouts(SHORT))) {
            assertHealthyMeanwhile(server, "GET / HTTP/1.1\r\nHost: a\r\nX: ", "HTTP/1.1 408 ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswer408ToSlowContentAndServeOthersMeanwhile(Kind kind) throws Exception {
        try (ReadyServer server = new ReadyServer(kind, builder -> builder.timeouts(SHORT))) {
            assertHealthyMeanwhile(
                    server, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n", "HTTP/1.1 408 ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseOnAClientThatNeverReadsAndServeOthersMeanwhile(Kind kind) throws Exception {
        try (ReadyServer server = new ReadyServer(kind, HttpServerPipelineTest::lingerAndTimeOutBriefly);
                ScriptedPeer deaf = ScriptedPeer.connect(server.address(), 4096)) {
            deaf.send(GET.formatted("/large"));
            Await.until(() -> server.targets.contains("/large"), "the request");
            try (ScriptedPeer healthy = ScriptedPeer.connect(server.address())) {
                do {
                    assertServes(server, healthy, "/healthy");
                } while (server.open.size() > 1);
            }
            assertThrows(AssertionError.class, () -> deaf.read(ReadyServer.LARGE_BYTES), "the answer was cut short");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseIdleConnections(Kind kind) throws Exception {
        try (ReadyServer server = new ReadyServer(kind, HttpServerPipelineTest::lingerAndTimeOutBriefly);
                ScriptedPeer silent = ScriptedPeer.connect(server.address());
                ScriptedPeer idle = ScriptedPeer.connect(server.address())) {
            assertServes(server, idle, "/1");
            assertEquals(0, idle.readToEnd().length);
            assertEquals(0, silent.readToEnd().length);
            assertServesNothing(server);
        }
    }

    /** Including connections whose clients do not close. */
    private static void assertServesNothing(ReadyServer server) {
        Await.until(() -> server.open.isEmpty(), () -> "the end of all connections; open: " + server.open);
    }

    // ---- disconnects ------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void shouldSurviveADisconnectInTheMiddleOfEverything(Kind kind) throws Exception {
        String[] conversations = {
            GET.formatted("/1") + GET.formatted("/2"),
            "POST /3 HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n01234567890123456789",
            "POST /4 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n0\r\nX: y\r\n\r\n",
            "POST /5 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
            "POST /6 HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nabcdefghij",
            GET.formatted("/large"),
            GET.formatted("/silent"),
            "GET / HTTP/1.1\r\nbad\r\n\r\n",
        };
        try (ReadyServer server = new ReadyServer(kind, builder -> {})) {
            for (String conversation : conversations) {
                for (int cut = 0; cut <= conversation.length(); cut += 7) {
                    disconnectAfter(server, conversation.substring(0, cut), cut % 2 == 0);
                }
            }
            assertServesNothing(server);
            try (ScriptedPeer client = ScriptedPeer.connect(server.address())) {
                assertServes(server, client, "/after");
            }
        }
    }

    private static void disconnectAfter(ReadyServer server, String part, boolean reset) throws IOException {
        ScriptedPeer client = ScriptedPeer.connect(server.address());
        client.send(part);
        if (reset) {
            client.reset();
        } else {
            client.close();
        }
    }

    // ---- the builder ------------------------------------------------------------------------------------------------

    @Test
    void shouldAddHandlersInOrder() throws Exception {
        SelfSignedCertificate certificate = Certificates.named("localhost");
        ChannelPipeline all = HttpServerPipeline.builder(new FakeTimer())
                .tls(SslContextBuilder.forServer(certificate.key(), certificate.cert())
                        .build())
                .defaultHeader("X-Frame-Options", "DENY")
                .forwarded(TrustedProxies.forwarded("10.0.0.0/8"))
                .accessLog(AccessLogFormat.common())
                .compress(CompressionRules.defaults())
                .cors(CorsRules.builder().build())
                .aggregate(1000)
                .chunkedWrites()
                .handler("a", Recorder::new)
                .handler("b", Recorder::new)
                .build()
                .getPipeline();
        assertEquals(
                List.of(
                        "tls",
                        "lingeringClose",
                        "timeouts",
                        "codec",
                        "keepAlive",
                        "headers",
                        "forwarded",
                        "accessLog",
                        "cors",
                        "errors",
                        "compressor",
                        "continue",
                        "aggregator",
                        "chunkedWriter",
                        "a",
                        "b",
                        "failures"),
                all.getNames());
        ChannelPipeline least = HttpServerPipeline.builder(new FakeTimer())
                .handler("a", Recorder::new)
                .build()
                .getPipeline();
        assertEquals(
                List.of("lingeringClose", "timeouts", "codec", "keepAlive", "errors", "continue", "a", "failures"),
                least.getNames());
    }

    @Test
    void shouldRefuseBadArguments() throws Exception {
        HttpServerPipeline.Builder builder = HttpServerPipeline.builder(new FakeTimer());
        assertThrows(NullPointerException.class, () -> HttpServerPipeline.builder(null));
        assertThrows(IllegalArgumentException.class, () -> builder.aggregate(0));
        assertThrows(
                IllegalArgumentException.class,
                () -> builder.tls(SslContextBuilder.forClient().build()));
        assertThrows(NullPointerException.class, () -> builder.handler("x", null));
    }
}
