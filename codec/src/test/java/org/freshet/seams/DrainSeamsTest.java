package org.freshet.seams;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.freshet.bootstrap.Drain;
import org.freshet.bootstrap.DrainReport;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.server.CompressionRules;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.seams.Scene.Transport;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages written before a drain are sent, wherever they are queued; otherwise the drain's report says that they were
 * not, and how many.
 */
class DrainSeamsTest {
    private static final Form FORM = Form.BUFFER_1_KIB;
    private static final int MESSAGES = 400;

    /** A shaper's bytes per second; it needs some seconds for the messages. */
    private static final long RATE = 100_000;

    private static final Duration SUFFICIENT = Duration.ofSeconds(25);
    private static final Duration INSUFFICIENT = Duration.ofMillis(300);

    static Stream<Place> places() {
        return Stream.of(Place.values())
                .filter(place -> !place.hasEncoder() && !place.isAsked() && place != Place.PROXY);
    }

    private static Form formOf(Place place) {
        return place.isWebSocket() ? Form.FRAME_1_KIB : FORM;
    }

    private static void writeAll(Channel channel, Form form) {
        for (int i = 0; i < MESSAGES; i++) {
            channel.write(form.message(0, i));
        }
    }

    private static CompletableFuture<DrainReport> drain(ServerBootstrap server, Duration deadline) {
        return Drain.of(server)
                .quietPeriod(Duration.ofMillis(1))
                .deadline(deadline)
                .start();
    }

    @ParameterizedTest
    @MethodSource("places")
    void shouldSendEverythingWrittenBeforeIfThereIsTime(Place place) throws Exception {
        Form form = formOf(place);
        try (Scene scene = new Scene(Transport.NIO, place, form, RATE)) {
            writeAll(scene.open(Map.of()), form);
            CompletableFuture<DrainReport> drained = drain(scene.rig().server(), SUFFICIENT);
            scene.read();
            DrainReport report = Await.result(drained, "the drain");
            long expected = (long) MESSAGES * form.bytes + (place.hasChunks() ? Scene.HEAD_BYTES : 0);
            scene.awaitPeerClosed();
            assertEquals(expected, scene.collector.receivedBytes(), () -> "received; the report: " + report);
            assertNull(scene.collector.damage());
            assertTrue(report.isClean(), report::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void shouldReportWhatItCutsOffIfThereIsNotEnoughTime(Place place) throws Exception {
        Form form = formOf(place);
        try (Scene scene = new Scene(Transport.NIO, place, form, RATE)) {
            writeAll(scene.open(Map.of()), form);
            if (place.isShaper()) {
                scene.read(); // only the shaper holds messages
            }
            assertNamesTheLoss(Await.result(drain(scene.rig().server(), INSUFFICIENT), "the drain"));
        }
    }

    private static void assertNamesTheLoss(DrainReport report) {
        assertFalse(report.isClean(), report::toString);
        assertEquals(1, report.cutOff().size(), report::toString);
        assertTrue(report.toString().contains("bytes"), report::toString);
    }

    // ---- HTTP -------------------------------------------------------------------------------------------------------

    /** HTTP versions, each with a client that reads slowly or not at all. */
    enum Http {
        COMPRESSED_1_1 {
            @Override
            void ask(ScriptedPeer peer) throws IOException {
                peer.send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
            }

            @Override
            long read(ScriptedPeer peer) throws IOException {
                boolean isCompressed = false;
                for (String line = peer.readLine(); !line.isEmpty(); line = peer.readLine()) {
                    isCompressed |= line.equalsIgnoreCase("Content-Encoding: gzip");
                }
                assertTrue(isCompressed, "the answer is not compressed");
                ByteArrayOutputStream content = new ByteArrayOutputStream();
                for (int length = chunk(peer); length > 0; length = chunk(peer)) {
                    content.write(peer.read(length));
                    peer.readLine();
                }
                try (InputStream plain =
                        new java.util.zip.GZIPInputStream(new java.io.ByteArrayInputStream(content.toByteArray()))) {
                    return plain.readAllBytes().length;
                }
            }

            private int chunk(ScriptedPeer peer) throws IOException {
                return Integer.parseInt(peer.readLine(), 16);
            }
        },
        STREAM_OF_2 {
            private RawHttp2 client;

            @Override
            void ask(ScriptedPeer peer) throws IOException {
                client = new RawHttp2(peer.socket(), 4 * 1024);
                client.get(1);
            }

            @Override
            long read(ScriptedPeer peer) throws IOException {
                return client.readToEnd(1);
            }
        };

        abstract void ask(ScriptedPeer peer) throws IOException;

        /** Returns the bytes of the content. */
        abstract long read(ScriptedPeer peer) throws IOException;
    }

    /** Writes the whole answer to a request in one call. */
    private static final class Application extends SimpleChannelUpstreamHandler {
        private final CountDownLatch written;

        Application(CountDownLatch written) {
            this.written = written;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            Channel channel = e.getChannel();
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.headers().set("Content-Type", "text/plain");
            response.setChunked(true);
            channel.write(response);
            for (int i = 0; i < MESSAGES; i++) {
                String text = (String) Form.STRING_1_KIB.message(0, i);
                channel.write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer(text, ISO_8859_1)));
            }
            channel.write(HttpChunk.LAST_CHUNK);
            written.countDown();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    private interface Script {
        void play(ServerBootstrap server, ScriptedPeer peer) throws Exception;
    }

    private static void serve(Http http, Script script) throws Exception {
        HashedWheelTimer timer = new HashedWheelTimer();
        CountDownLatch written = new CountDownLatch(1);
        ChannelPipelineFactory pipelines = HttpServerPipeline.builder(timer)
                .aggregate(1024)
                .compress(CompressionRules.defaults())
                .http2(Http2Settings.defaults())
                .handler("application", () -> new Application(written))
                .build();
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory(1));
        bootstrap.setPipelineFactory(pipelines);
        bootstrap.setOption("child.sendBufferSize", 8 * 1024);
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress(), 8 * 1024)) {
                http.ask(peer);
                Await.latch(written, "the answer");
                script.play(bootstrap, peer);
            }
        } finally {
            bootstrap.releaseExternalResources();
            timer.stop();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFinishAnAnswerThatIsReadSlowly(Http http) throws Exception {
        serve(http, (server, peer) -> {
            CompletableFuture<DrainReport> drained = drain(server, SUFFICIENT);
            assertEquals((long) MESSAGES * FORM.bytes, http.read(peer));
            peer.close();
            DrainReport report = Await.result(drained, "the drain");
            assertTrue(report.isClean(), report::toString);
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportAnAnswerThatIsNotRead(Http http) throws Exception {
        serve(http, (server, peer) -> assertNamesTheLoss(Await.result(drain(server, INSUFFICIENT), "the drain")));
    }

    /** Makes sure that the tests above do not mistake an incomplete answer for a complete one. */
    @Test
    void shouldNoticeAnAnswerThatWasCutOff() throws Exception {
        serve(Http.STREAM_OF_2, (server, peer) -> {
            Await.result(drain(server, INSUFFICIENT), "the drain");
            long received;
            try {
                received = Http.STREAM_OF_2.read(peer);
            } catch (EOFException | java.net.SocketException e) {
                received = -1;
            }
            assertEquals(-1, received);
        });
    }
}
