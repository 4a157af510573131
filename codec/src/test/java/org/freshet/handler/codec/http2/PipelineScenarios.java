package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http2.PipelineAsk.get;
import static org.freshet.handler.codec.http2.PipelineServer.TEXT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.freshet.bootstrap.Drain;
import org.freshet.bootstrap.DrainReport;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http2.PipelineAsk.Answer;
import org.freshet.testing.Await;

/** What clients do with one server, one after another, and what they may expect. For the test's thread. */
final class PipelineScenarios {
    private static final int SLOW_REQUESTS = 3;

    /** TLS records count in addition to the buffer that they were encrypted from. */
    private static final int SEALED_BYTES = 128 * 1024;

    /**
     * The backlog shared by all streams of an HTTP/2 connection: frames for its socket up to the high water mark, plus
     * the one that exceeds it.
     */
    private static final int SHARED_BYTES = 64 * 1024 + 16 * 1024;

    private final PipelineWire wire;
    private final PipelineServer server;
    private final PipelineExpectations expected;

    PipelineScenarios(PipelineWire wire, PipelineServer server, PipelineExpectations expected) {
        this.wire = wire;
        this.server = server;
        this.expected = expected;
    }

    void play() throws Exception {
        requests();
        features();
        error();
        refusals();
        tunnels();
        slowClient();
        drain();
        server.requireNothingLeft();
        if (expected.has(PipelineOption.ACCESS_LOG)) {
            Await.until(
                    () -> expected.logged().equals(answersInLog()),
                    () -> "the access log; expected " + expected.logged() + ", has " + server.log);
        }
    }

    /** If requests are decoded ahead, those after the last answer of a connection are logged without a status. */
    private List<Integer> answersInLog() {
        boolean mayHaveOthers = expected.has(PipelineOption.PIPELINING);
        return server.log.stream()
                .filter(status -> status > 0 || !mayHaveOthers)
                .sorted()
                .toList();
    }

    private interface Script {
        void play(PipelineClient client) throws Exception;
    }

    /** A connection that the client closes. */
    private void onConnection(Script script) throws Exception {
        PipelineClient client = server.connect(wire);
        try (client) {
            script.play(client);
        }
        assertReason(Kind.PEER_CLOSED, client);
    }

    /** A connection whose last answer closes it, for {@code reason}; an HTTP/2 stream does not close its connection. */
    private void onLastRequest(Kind reason, PipelineAsk last, int status) throws Exception {
        PipelineClient client = server.connect(wire);
        try (client) {
            expected.requireOk(get("/text"), client.ask(expected.ask(get("/text"))), TEXT);
            boolean isFollowed = isFollowed(last, status);
            int[] numbers = isFollowed
                    ? client.send(expected.ask(last), expected.ask(get("/text")))
                    : client.send(expected.ask(last));
            Answer answer = client.receive(numbers[0]);
            if (status == 431) {
                expected.requireRefusedFields(last, answer);
            } else {
                expected.requireRefused(last, answer, status);
            }
            if (wire.isHttp2) {
                if (isFollowed) {
                    expected.requireOk(get("/text"), client.receive(numbers[1]), TEXT);
                }
                expected.requireOk(get("/text"), client.ask(expected.ask(get("/text"))), TEXT);
            } else {
                assertTrue(answer.isLast(), () -> "the last answer does not announce it: " + answer);
                client.awaitEnd();
            }
        }
        assertReason(wire.isHttp2 ? Kind.PEER_CLOSED : reason, client);
    }

    /**
     * Content that isn't sent would be missing, and an application that receives two requests has to order its answers.
     */
    private boolean isFollowed(PipelineAsk last, int status) {
        return !last.isExpecting() && (status != 503 || !expected.has(PipelineOption.PIPELINING));
    }

    private void assertReason(Kind kind, PipelineClient client) {
        assertEquals(
                kind, server.reason(client).kind(), () -> server.reason(client).toString());
    }

    // ---- requests that are answered ---------------------------------------------------------------------------------

    private void ok(PipelineClient client, PipelineAsk ask, String text) throws IOException {
        expected.requireOk(ask, client.ask(expected.ask(ask)), text);
    }

    private static PipelineAsk post(int bytes) {
        return PipelineAsk.of("POST", "/length").withContent("x".repeat(bytes).getBytes(ISO_8859_1));
    }

    private void requests() throws Exception {
        onConnection(client -> {
            ok(client, get("/text"), TEXT);
            ok(client, PipelineAsk.of("HEAD", "/text"), TEXT);
            ok(client, post(3), "3 bytes");
            PipelineAsk[] asks = {get("/text"), PipelineAsk.of("HEAD", "/text"), post(4), get("/text")};
            String[] texts = {TEXT, TEXT, "4 bytes", TEXT};
            PipelineAsk[] sent = new PipelineAsk[asks.length];
            for (int i = 0; i < asks.length; i++) {
                sent[i] = expected.ask(asks[i]);
            }
            int[] numbers = client.send(sent);
            for (int i = 0; i < asks.length; i++) {
                expected.requireOk(asks[i], client.receive(numbers[i]), texts[i]);
            }
        });
    }

    private void features() throws Exception {
        onConnection(client -> {
            if (!expected.has(PipelineOption.CONTINUE_IF)) {
                PipelineAsk waiting = post(5).with("expect", "100-continue");
                Answer answer = client.ask(expected.ask(waiting));
                expected.requireOk(waiting, answer, "5 bytes");
                assertEquals(List.of(100), answer.interim);
            }
            if (!wire.isHttp2) {
                ok(client, get("/text").with("upgrade", "h2c").with("connection", "Upgrade, HTTP2-Settings"), TEXT);
            }
            if (expected.has(PipelineOption.FILES)) {
                ok(client, get("/files/small.txt"), PipelineExpectations.SMALL_FILE);
                ok(client, PipelineAsk.of("HEAD", "/files/small.txt"), PipelineExpectations.SMALL_FILE);
                ok(client, get("/files/large.txt"), PipelineExpectations.LARGE_FILE);
                ok(client, get("/files/missing"), TEXT);
            }
            if (expected.has(PipelineOption.CHUNKED_WRITES)) {
                ok(client, get("/chunked"), TEXT);
                ok(client, PipelineAsk.of("HEAD", "/chunked"), TEXT);
            }
            if (expected.has(PipelineOption.FORWARDED)) {
                ok(client, get("/source"), "https://shop.example for /203.0.113.7:0");
            }
            if (expected.has(PipelineOption.PROXY_PROTOCOL) && !expected.has(PipelineOption.FORWARDED)) {
                PipelineAsk source = get("/source");
                Answer answer = client.ask(expected.ask(source));
                expected.requireFrom(source, answer, "/127.0.0.9:4711");
            }
            if (expected.has(PipelineOption.CORS)) {
                PipelineAsk preflight = PipelineAsk.of("OPTIONS", "/text").with("access-control-request-method", "GET");
                expected.requirePreflight(client.ask(expected.ask(preflight)));
            }
            if (!expected.has(PipelineOption.AGGREGATE)) {
                ok(client, post(PipelineOption.MAX_CONTENT + 1), PipelineOption.MAX_CONTENT + 1 + " bytes");
            }
            ok(client, get("/text"), TEXT);
        });
    }

    // ---- requests that are refused
    // -----------------------------------------------------------------------------------

    private void error() throws Exception {
        onLastRequest(Kind.LOCAL, get("/fail"), 500);
        onLastRequest(Kind.LOCAL, PipelineAsk.of("HEAD", "/fail"), 500);
    }

    private void refusals() throws Exception {
        if (expected.has(PipelineOption.LIMITS)) {
            PipelineAsk many = get("/text");
            for (int i = 0; i <= PipelineOption.MAX_HEADERS; i++) {
                many = many.with("x-" + i, "a");
            }
            onLastRequest(Kind.PROTOCOL, many, 431);
        }
        if (expected.has(PipelineOption.CONTINUE_IF)) {
            onLastRequest(Kind.PROTOCOL, post(5).with("expect", "100-continue"), 403);
        }
        if (expected.has(PipelineOption.AGGREGATE)) {
            onLastRequest(Kind.PROTOCOL, post(PipelineOption.MAX_CONTENT + 100), 413);
        }
        if (!expected.has(PipelineOption.ALLOW_CONNECT)) {
            onLastRequest(Kind.PROTOCOL, PipelineAsk.of("CONNECT", "localhost:1"), 405);
        }
        if (wire.isTls && expected.has(PipelineOption.SERVER_NAMES)) {
            onLastRequest(Kind.PROTOCOL, get("/text").with(PipelineAsk.AUTHORITY, "other.example"), 421);
        }
        if (expected.has(PipelineOption.ANSWER_TIMEOUT)) {
            onLastRequest(Kind.TIMED_OUT, get("/later"), 503);
            server.takeHeld();
        }
    }

    // ---- connections that leave HTTP --------------------------------------------------------------------------------

    private void tunnels() throws Exception {
        if (expected.has(PipelineOption.ALLOW_CONNECT)) {
            onConnection(client -> {
                int number = client.send(expected.ask(PipelineAsk.of("CONNECT", "localhost:1")))[0];
                expected.requireOpened(client.receive(number), 200, 200);
                client.sendRaw(number, "hello".getBytes(ISO_8859_1));
                assertEquals("hello", new String(client.receiveRaw(number, 5), ISO_8859_1));
            });
        }
        if (expected.has(PipelineOption.WEB_SOCKET)) {
            onConnection(client -> {
                int number = openWebSocket(client);
                client.sendRaw(number, closeFrame(1000));
                assertEquals(1000, receiveClose(client, number));
            });
        }
    }

    /** Opens a tunnel and receives an echo of a text. */
    private int openWebSocket(PipelineClient client) throws IOException {
        int number = client.send(get("/chat")
                .with(PipelineAsk.UPGRADE, "websocket")
                .with("connection", "Upgrade")
                .with("sec-websocket-version", "13")
                .with("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="))[0];
        expected.requireOpened(client.receive(number), wire.isHttp2 ? 200 : 101, 101);
        client.sendRaw(number, "\u0081\u0085\0\0\0\0hello".getBytes(ISO_8859_1));
        assertEquals("\u0081\u0005hello", new String(client.receiveRaw(number, 7), ISO_8859_1));
        return number;
    }

    private static byte[] closeFrame(int code) {
        return ("\u0088\u0082\0\0\0\0" + (char) (code >> 8) + (char) (code & 0xff)).getBytes(ISO_8859_1);
    }

    private static int receiveClose(PipelineClient client, int number) throws IOException {
        byte[] frame = client.receiveRaw(number, 4);
        assertEquals("\u0088\u0002", new String(frame, 0, 2, ISO_8859_1));
        return (frame[2] & 0xff) << 8 | frame[3] & 0xff;
    }

    // ---- a client that reads late -----------------------------------------------------------------------------------

    private void slowClient() throws Exception {
        onConnection(client -> {
            PipelineAsk ask = get("/big");
            PipelineAsk[] asks = new PipelineAsk[SLOW_REQUESTS];
            java.util.Arrays.fill(asks, expected.ask(ask));
            int[] numbers = client.send(asks);
            awaitStandstill(client);
            assertBounded(client);
            for (int number : numbers) {
                expected.requireBig(client.receive(number));
            }
            assertEquals(SLOW_REQUESTS, server.bigRequests());
            ok(client, get("/text"), TEXT);
        });
    }

    /**
     * Waits until the maximum number of requests has been handled. A loop that blocks in a write handles no other
     * request.
     */
    private void awaitStandstill(PipelineClient client) throws Exception {
        int handled = wire.isHttp2 && !wire.blocks ? SLOW_REQUESTS : 1;
        Await.until(() -> server.bigRequests() >= handled, "the requests of a client that does not read");
        if (!wire.blocks) {
            CountDownLatch looked = new CountDownLatch(1);
            server.connection(client).getPipeline().execute(looked::countDown);
            Await.latch(looked, "the end of the input received with the requests");
            assertEquals(handled, server.bigRequests(), "requests handled before an answer was read");
        }
    }

    private void assertBounded(PipelineClient client) {
        Channel channel = server.connection(client);
        long onConnection = WriteAccount.waitingBytes(channel);
        long most = server.mostWaiting();
        long mostOnConnection =
                (wire.isHttp2 ? SLOW_REQUESTS * most + SHARED_BYTES : most) + (wire.isTls ? SEALED_BYTES : 0);
        assertTrue(
                onConnection <= mostOnConnection,
                () -> onConnection + " bytes are queued on the connection; at most " + mostOnConnection);
        long onStream = server.mostWaitingOnAnyStream();
        assertTrue(onStream <= most, () -> onStream + " bytes are queued on a stream; at most " + most);
    }

    // ---- the end ----------------------------------------------------------------------------------------------------

    private void drain() throws Exception {
        server.awaitAllClosed();
        PipelineClient idle = server.connect(wire);
        PipelineClient busy = server.connect(wire);
        PipelineClient chat = expected.has(PipelineOption.WEB_SOCKET) ? server.connect(wire) : null;
        CompletableFuture<DrainReport> drained;
        try (idle;
                busy;
                chat) {
            ok(idle, get("/text"), TEXT);
            int request = busy.send(expected.ask(get("/later")))[0];
            Channel held = server.takeHeld();
            int webSocket = chat == null ? 0 : openWebSocket(chat);
            drained = Drain.of(server.bootstrap)
                    .quietPeriod(Duration.ofMillis(1))
                    .deadline(Duration.ofSeconds(25))
                    .start();
            idle.awaitEnd();
            if (!expected.has(PipelineOption.ANSWER_TIMEOUT)) { // it may have closed the connection before
                server.awaitDraining(busy);
            }
            finish(busy, request, held);
            if (chat != null) {
                assertEquals(1001, receiveClose(chat, webSocket));
                chat.sendRaw(webSocket, closeFrame(1001));
                chat.awaitEnd();
            }
        }
        DrainReport report = Await.result(drained, "the drain");
        assertTrue(report.isClean(), report::toString);
        assertReason(Kind.DRAINED, idle);
    }

    private void finish(PipelineClient busy, int request, Channel held) throws IOException {
        boolean isLate = expected.has(PipelineOption.ANSWER_TIMEOUT);
        if (!isLate) {
            server.release(held);
        }
        Answer answer = busy.receive(request);
        if (isLate) {
            expected.requireRefused(get("/later"), answer, 503);
        } else {
            expected.requireOk(get("/later"), answer, TEXT);
        }
        assertTrue(wire.isHttp2 || answer.isLast(), () -> "the last answer does not announce it: " + answer);
        busy.awaitEnd();
    }
}
