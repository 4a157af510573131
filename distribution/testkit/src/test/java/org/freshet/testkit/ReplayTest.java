package org.freshet.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http.server.route.Router;
import org.freshet.handler.tap.WireTap;
import org.freshet.testkit.capture.Capture;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A recording by a tap on real sockets is replayed, and the answers are compared. */
class ReplayTest {
    private static final int CONNECTIONS = Integer.getInteger("freshet.test.connections", 20);
    private static final int REPLAYS = Integer.getInteger("freshet.test.replays", 10);

    /** For 1,000 replays of 10,000 connections, each of which takes some seconds. */
    private static final int MOST_SECONDS = 2 * 60 * 60;

    private static final AtomicInteger LAST_REQUEST = new AtomicInteger(1000);

    @TempDir
    Path directory;

    private static Function<Timer, ChannelPipelineFactory> service(String greeting) {
        Router router = Router.builder()
                .get("/hello/{name}", request -> HttpResponses.text(greeting + ", " + request.pathParameter("name")))
                .post(
                        "/length",
                        request ->
                                HttpResponses.text(String.valueOf(request.text().length())))
                .build();
        RequestHandler handler = RequestHandler.of(router);
        return timer -> HttpServerPipeline.builder(timer)
                .aggregate(64 * 1024)
                .handler("router", () -> handler)
                .build();
    }

    /** Two requests on each connection, the second with content in two pieces. */
    private Capture record(Function<Timer, ChannelPipelineFactory> service) throws IOException {
        return Capture.read(record(service, ReplayTest::converse));
    }

    /** The input from a client. */
    private interface Conversation {
        void hold(InetSocketAddress address, int number) throws IOException;
    }

    private Path record(Function<Timer, ChannelPipelineFactory> service, Conversation conversation) throws IOException {
        Path file = directory.resolve("recorded.pcapng");
        Timer timer = new HashedWheelTimer();
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        try (WireTap tap = WireTap.to(file).open()) {
            ChannelPipelineFactory pipelines = service.apply(timer);
            bootstrap.setPipelineFactory(() -> {
                ChannelPipeline pipeline = pipelines.getPipeline();
                pipeline.addFirst("tap", tap.newHandler());
                return pipeline;
            });
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (int i = 0; i < CONNECTIONS; i++) {
                conversation.hold((InetSocketAddress) server.getLocalAddress(), i);
            }
            server.close().awaitUninterruptibly();
            bootstrap.releaseExternalResources(); // the loops have passed everything they sent to the tap
        } finally {
            bootstrap.releaseExternalResources();
            timer.stop();
        }
        return file;
    }

    private static void greet(InetSocketAddress address, int number) throws IOException {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            send(socket, "GET /" + number + " HTTP/1.1\r\nHost: a\r\n\r\n");
            receive(socket, "\r\n\r\nhello");
        }
    }

    private static void converse(InetSocketAddress address, int number) throws IOException {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setTcpNoDelay(true); // the two pieces are sent separately
            send(socket, "GET /hello/" + number + " HTTP/1.1\r\nHost: a\r\n\r\n");
            receive(socket, ", " + number);
            send(socket, "POST /length HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 10\r\n\r\n12345");
            send(socket, "67890");
            receive(socket, "\r\n\r\n10");
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void receive(Socket socket, String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (!text.toString().endsWith(end)) {
            int read = socket.getInputStream().read();
            assertTrue(read >= 0, () -> "the server closed after " + text);
            text.append((char) read);
        }
    }

    @Test
    @Timeout(MOST_SECONDS)
    void shouldFindNoDifferenceInTheSamePipeline() throws IOException {
        Function<Timer, ChannelPipelineFactory> service = service("hello");
        Capture capture = record(service);
        assertEquals(CONNECTIONS, capture.connections());
        Replay.Report first = Replay.of(capture).against(service);
        first.assertSame();
        for (int i = 1; i < REPLAYS; i++) {
            assertEquals(first.hash(), Replay.of(capture).against(service).hash(), "replay " + i);
        }
    }

    @Test
    void shouldNameConnectionEventAndHandlerOfADifference() throws IOException {
        Capture capture = record(service("hello"));
        Replay.Report report = Replay.of(capture).against(service("goodbye"));
        List<Difference> differences = report.differences();
        assertEquals(CONNECTIONS, differences.size());
        Difference first = differences.get(0);
        assertEquals(0, first.connection());
        assertEquals(0, first.event());
        assertEquals(RequestHandler.class.getName(), first.handler());
        assertTrue(
                first.recorded().contains("content-length: 8".toLowerCase())
                        || first.recorded().contains("Content-Length: 8"),
                first::toString);
        AssertionError failure = assertThrows(AssertionError.class, report::assertSame);
        assertTrue(
                failure.getMessage()
                        .startsWith(CONNECTIONS + " of " + CONNECTIONS + " connections differ\nconnection 0"),
                failure::getMessage);
    }

    /** Each answer has a different number. */
    private static ChannelPipelineFactory pipelines(Timer timer) {
        return HttpServerPipeline.builder(timer)
                .handler(
                        "service",
                        () -> RequestHandler.of(request -> {
                            HttpResponse response = HttpResponses.text("hello");
                            response.headers().set("X-Request-Id", LAST_REQUEST.incrementAndGet());
                            return response;
                        }))
                .build();
    }

    @Test
    void shouldIgnoreConfiguredDifferences() throws IOException {
        Path file = record(ReplayTest::pipelines, ReplayTest::greet);
        Capture capture = Capture.read(file);
        Replay.of(capture)
                .ignoring("\r\nX-Request-Id: [^\r]*")
                .against(timer -> pipelines(timer))
                .assertSame();
        assertEquals(
                CONNECTIONS,
                Replay.of(capture)
                        .against(timer -> pipelines(timer))
                        .differences()
                        .size());
    }

    @Test
    void shouldContinueIfAnAnswerDoesNotArrive() throws IOException {
        Capture capture = record(service("hello"));
        Replay.Report report = Replay.of(capture).against(timer -> Channels::pipeline);
        assertEquals(CONNECTIONS, report.differences().size());
        assertEquals("", report.differences().get(0).replayed());
        assertEquals("", report.differences().get(0).handler());
    }

    @Test
    void shouldRefuseFilesThatAreNotCaptures() throws IOException {
        Path file = Files.writeString(directory.resolve("text"), "not a capture at all");
        IOException refusal = assertThrows(IOException.class, () -> Capture.read(file));
        assertTrue(refusal.getMessage().contains(": neither pcap nor pcapng"), refusal::getMessage);
    }
}
