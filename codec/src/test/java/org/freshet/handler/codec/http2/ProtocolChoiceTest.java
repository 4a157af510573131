package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which version a connection uses, and which events the handlers for it get. */
class ProtocolChoiceTest {
    private static final byte[] PREFACE = Http2ServerHandler.PREFACE;
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final FakeTimer timer = new FakeTimer();
    private final StreamLog log = new StreamLog();
    private final Http2Settings settings =
            Http2Settings.defaults().toBuilder().timer(timer).build();

    /** States and messages that reached the top, in order. */
    private static List<String> events(MemoryChannel channel) {
        return channel.takeUpstream().stream()
                .map(ProtocolChoiceTest::describe)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static String describe(ChannelEvent e) {
        if (e instanceof ChannelStateEvent state) {
            boolean isBegin = state.getValue() != null && !Boolean.FALSE.equals(state.getValue());
            return (isBegin ? "" : "not ") + state.getState();
        }
        if (e instanceof MessageEvent message) {
            Object content = message.getMessage();
            return content instanceof HttpRequest request ? "request " + request.getUri() : content.toString();
        }
        return "";
    }

    private static <T extends ChannelHandler> boolean has(MemoryChannel channel, Class<T> handler) {
        return channel.getPipeline().get(handler) != null;
    }

    private static ChannelPipelineFactory named(String... names) {
        return () -> {
            ChannelPipeline pipeline = Channels.pipeline();
            for (String name : names) {
                pipeline.addLast(name, new SimpleChannelUpstreamHandler());
            }
            return pipeline;
        };
    }

    private static Throwable failure(CompletableFuture<?> future) {
        return assertThrows(CompletionException.class, () -> future.getNow(null))
                .getCause();
    }

    @Nested
    class OfAServer {
        private final HttpServerChooser chooser = new HttpServerChooser(Channels::pipeline, settings);
        private final MemoryChannel channel = MemoryChannel.connected(chooser);

        private void receive(byte[] bytes, int from, int to) {
            channel.receive(ChannelBuffers.copiedBuffer(bytes, from, to - from));
        }

        @Test
        void shouldBeHttp2OnceTheWholePrefaceHasArrived() {
            for (int i = 0; i < PREFACE.length; i++) {
                assertTrue(has(channel, HttpServerChooser.class), "after " + i);
                assertEquals(List.of(), channel.takeWritten());
                receive(PREFACE, i, i + 1);
            }
            assertTrue(has(channel, Http2ServerHandler.class));
            assertFalse(has(channel, HttpServerChooser.class));
            assertFalse(has(channel, HttpServerCodec.class));
            assertFalse(channel.takeWritten().isEmpty(), "its SETTINGS");
            assertEquals(List.of(), channel.takeCaught());
        }

        @Test
        void shouldBeHttp11AtTheFirstByteThatDiffers() {
            for (int same = 0; same < PREFACE.length; same++) {
                MemoryChannel other = MemoryChannel.connected(new HttpServerChooser(Channels::pipeline, settings));
                byte[] first = Arrays.copyOf(PREFACE, same + 1);
                first[same] ^= 1;
                other.receive(ChannelBuffers.copiedBuffer(first, 0, same));
                assertTrue(has(other, HttpServerChooser.class), "after " + same);
                other.receive(ChannelBuffers.copiedBuffer(first, same, 1));
                assertTrue(has(other, HttpServerCodec.class), "after " + same);
                assertFalse(has(other, HttpServerChooser.class));
                assertFalse(has(other, Http2ServerHandler.class));
                other.close();
            }
        }

        @Test
        void shouldReadTheRequestFromItsFirstByte() {
            byte[] request = REQUEST.replace("GET", "PRIME").getBytes(US_ASCII);
            for (int i = 0; i < request.length; i++) {
                receive(request, i, i + 1);
            }
            assertEquals(List.of("OPEN", "BOUND", "CONNECTED", "request /"), events(channel));
        }

        @Test
        void shouldPassOnEarlierEventsOnlyOnceItIsKnown() {
            channel.receive("early");
            channel.setReadable(false);
            receive(PREFACE, 0, 10);
            assertEquals(List.of(), events(channel));
            channel.receive(ChannelBuffers.copiedBuffer("no preface", US_ASCII));
            assertEquals(List.of("OPEN", "BOUND", "CONNECTED", "early", "INTEREST_OPS"), events(channel));
        }

        @Test
        void shouldPassOnExceptionsImmediately() {
            IllegalStateException early = new IllegalStateException("early");
            Channels.fireExceptionCaught(channel, early);
            assertEquals(List.of(early), channel.takeCaught());
            assertEquals(List.of(), events(channel));
        }

        @Test
        void shouldPassOnTheEventsOfAConnectionThatEndsBefore() {
            receive(PREFACE, 0, 3);
            channel.close();
            assertEquals(
                    List.of("OPEN", "BOUND", "CONNECTED", "not CONNECTED", "not BOUND", "not OPEN"), events(channel));
            assertEquals(0, timer.pendingTimeouts());
        }

        @Test
        void shouldSayThatNothingBeganInTime() {
            timer.advanceMillis(9_999);
            assertTrue(channel.isOpen());
            timer.advanceMillis(1);
            assertFalse(channel.isOpen());
            assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
        }

        @Test
        void shouldHaveNoTimeLimitIfThereIsNone() {
            Http2Settings unlimited = settings.toBuilder()
                    .timeouts(settings.timeouts().withHandshake(Duration.ZERO))
                    .build();
            channel.close();
            MemoryChannel other = MemoryChannel.connected(new HttpServerChooser(Channels::pipeline, unlimited));
            assertEquals(0, timer.pendingTimeouts());
            other.close();
        }

        @Test
        void shouldNotCloseAConnectionWhoseTimeRunsOutWhenItHasBegun() {
            channel.holdTasks();
            timer.advanceMillis(10_000);
            channel.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
            channel.runTasks();
            assertTrue(channel.isOpen());
        }

        @Test
        void shouldDropWhatArrivesAfterAFailureButNoOtherEvents() {
            RuntimeException fault = new IllegalStateException("a fault of the application");
            MemoryChannel other = MemoryChannel.connected(new HttpServerChooser(
                    () -> {
                        throw fault;
                    },
                    settings));
            other.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
            assertEquals(List.of(fault), other.takeCaught());
            assertEquals(
                    List.of("OPEN", "BOUND", "CONNECTED", "not CONNECTED", "not BOUND", "not OPEN"), events(other));
            other.receive("late");
            assertEquals(List.of(), events(other));
            channel.close();
            assertEquals(0, timer.pendingTimeouts());
        }

        @Test
        void shouldKeepAllHandlersUnderNamesThatAreFree() {
            ChannelPipelineFactory requests = named("http1", "a", "http1-2");
            MemoryChannel other = with("a", requests);
            other.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
            assertEquals(
                    List.of("a", "http1-3", "http1", "a-2", "http1-2"),
                    other.getPipeline().getNames().subList(0, 5));
            assertInstanceOf(HttpServerCodec.class, other.getPipeline().get("http1-3"));
            other.close();

            MemoryChannel second = with("http2", requests);
            second.receive(ChannelBuffers.copiedBuffer(PREFACE));
            assertInstanceOf(Http2ServerHandler.class, second.getPipeline().get("http2-2"));
            second.close();
        }

        private MemoryChannel with(String earlier, ChannelPipelineFactory requests) {
            MemoryChannel other = MemoryChannel.connected(new HttpServerChooser(requests, settings));
            other.getPipeline().addFirst(earlier, new SimpleChannelUpstreamHandler());
            return other;
        }

        @Test
        void shouldRequireItsFactoriesAndSettings() {
            ChannelPipelineFactory requests = Channels::pipeline;
            assertThrows(NullPointerException.class, () -> new HttpServerChooser(null, settings));
            assertThrows(NullPointerException.class, () -> new HttpServerChooser(requests, (Http2Settings) null));
            assertThrows(NullPointerException.class, () -> new HttpServerChooser(null, requests, settings));
            assertThrows(NullPointerException.class, () -> new HttpServerChooser(requests, null, settings));
            assertThrows(NullPointerException.class, () -> new HttpServerChooser(requests, requests, null));
        }
    }

    @Nested
    class OfAPlainClient {
        private final HttpClientChooser chooser = new HttpClientChooser(named("a"), settings);
        private final MemoryChannel channel = MemoryChannel.open(chooser);
        private final CompletableFuture<Channel> opened = chooser.open().toCompletableFuture();

        private static Throwable failure(CompletableFuture<?> future) {
            return assertThrows(CompletionException.class, () -> future.getNow(null))
                    .getCause();
        }

        @Test
        void shouldBeHttp11OnceItIsConnected() {
            assertEquals(List.of(), events(channel));
            assertFalse(opened.isDone());
            channel.connect(new java.net.InetSocketAddress("localhost", 1));
            assertEquals(List.of("OPEN", "BOUND", "CONNECTED"), events(channel));
            assertSame(channel, opened.getNow(null));
            assertSame(channel, chooser.open().toCompletableFuture().getNow(null));
            assertFalse(chooser.isHttp2());
            assertTrue(has(channel, HttpClientCodec.class));
            assertNotNull(channel.getPipeline().get("a"));
            assertFalse(has(channel, HttpClientChooser.class));
        }

        @Test
        void shouldGiveOutNoConnectionThatIsClosed() {
            channel.connect(new java.net.InetSocketAddress("localhost", 1));
            channel.close();
            assertInstanceOf(
                    ClosedChannelException.class, failure(chooser.open().toCompletableFuture()));
        }

        @Test
        void shouldFailIfItEndsBeforeItIsConnected() {
            channel.close();
            assertInstanceOf(ClosedChannelException.class, failure(opened));
            assertEquals(List.of("OPEN", "not OPEN"), events(channel));
        }

        @Test
        void shouldFailWithTheCauseThatEndedTheConnection() {
            IllegalStateException cause = new IllegalStateException("planned");
            Channels.noteCloseReason(channel, CloseReason.of(CloseReason.Kind.CONNECT_FAILED, null, cause));
            channel.close();
            assertSame(cause, failure(opened));
        }

        @Test
        void shouldPassOnExceptionsImmediately() {
            IllegalStateException early = new IllegalStateException("early");
            Channels.fireExceptionCaught(channel, early);
            assertEquals(List.of(early), channel.takeCaught());
            assertEquals(List.of(), events(channel));
        }

        @Test
        void shouldFailIfTheApplicationDoes() {
            IllegalStateException fault = new IllegalStateException("a fault of the application");
            HttpClientChooser failing = new HttpClientChooser(() -> {
                throw fault;
            });
            MemoryChannel other = MemoryChannel.connected(failing);
            assertSame(fault, failure(failing.open().toCompletableFuture()));
            assertEquals(List.of(fault), other.takeCaught());
            assertFalse(other.isOpen());
        }

        /** A handler's fault while the others are being removed must not hide the first. */
        @Test
        void shouldReportBothFaultsOfItsHandlers() {
            IllegalStateException stays = new IllegalStateException("stays");
            HttpClientChooser failing = new HttpClientChooser(() -> Channels.pipeline(new Faulty(), new Stays(stays)));
            MemoryChannel other = MemoryChannel.connected(failing);
            Throwable caught = other.takeCaught().get(0);
            assertTrue(
                    messages(caught).contains("joins"), () -> messages(caught).toString());
            assertTrue(
                    messages(caught).contains("stays"), () -> messages(caught).toString());
        }

        private static List<String> messages(Throwable failure) {
            List<String> all = new java.util.ArrayList<>();
            for (Throwable next = failure; next != null; next = next.getCause()) {
                all.add(next.getMessage());
                for (Throwable suppressed : next.getSuppressed()) {
                    all.addAll(messages(suppressed));
                }
            }
            return all;
        }
    }

    /** Can't be added to a channel's pipeline. */
    private static final class Faulty extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
        @Override
        public void beforeAdd(ChannelHandlerContext ctx) {
            if (ctx.getPipeline().isAttached()) {
                throw new IllegalStateException("joins");
            }
        }
    }

    /** Can't be removed from a channel's pipeline. */
    private static final class Stays extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
        private final RuntimeException fault;

        Stays(RuntimeException fault) {
            this.fault = fault;
        }

        @Override
        public void beforeRemove(ChannelHandlerContext ctx) {
            if (ctx.getPipeline().isAttached()) {
                throw fault;
            }
        }
    }

    /** ALPN over TLS, without sockets. */
    @Nested
    class OverTls {
        private static final SelfSignedCertificate CERTIFICATE = Certificates.named("localhost");

        private SslHandler tls(boolean isServer, String protocols) throws Exception {
            SslContextBuilder builder = isServer
                    ? SslContextBuilder.forServer(CERTIFICATE.key(), CERTIFICATE.cert())
                    : SslContextBuilder.forClient().trust(CERTIFICATE.cert());
            SslContextBuilder speaking = builder.applicationProtocols(protocols.split(" "));
            return isServer ? speaking.build().newHandler() : speaking.build().newHandler("localhost", 1);
        }

        private static void pump(MemoryChannel one, MemoryChannel other) {
            while (deliver(one, other) | deliver(other, one)) {
                // each delivery may cause another one
            }
        }

        private static boolean deliver(MemoryChannel from, MemoryChannel to) {
            List<Object> written = from.takeWritten();
            written.forEach(bytes -> to.receive((ChannelBuffer) bytes));
            return !written.isEmpty();
        }

        @ParameterizedTest
        @CsvSource({"h2 http/1.1, h2 http/1.1, true", "http/1.1, h2 http/1.1, false"})
        void shouldBeWhatBothSupport(String ofServer, String ofClient, boolean isHttp2) throws Exception {
            HttpClientChooser chooser = new HttpClientChooser(log::pipeline);
            HttpServerChooser serverChooser = new HttpServerChooser(log::pipeline, settings);
            MemoryChannel server = MemoryChannel.connected(tls(true, ofServer), serverChooser);
            MemoryChannel client = MemoryChannel.connected(tls(false, ofClient), chooser);
            CompletableFuture<Channel> opened = chooser.open().toCompletableFuture();
            assertFalse(opened.isDone());
            pump(client, server);
            assertEquals(isHttp2, chooser.isHttp2());
            assertEquals(isHttp2, has(client, Http2ClientHandler.class));
            assertEquals(!isHttp2, has(client, HttpClientCodec.class));
            Channel channel = opened.getNow(null);
            assertSame(client, isHttp2 ? channel.getParent() : channel);
            assertEquals(isHttp2, has(server, Http2ServerHandler.class), "the client's SETTINGS are its first bytes");
            assertNull(server.getPipeline().get(HttpServerCodec.class));
            client.close();
            server.close();
        }

        @Test
        void shouldFailRequestsThatGetNoStream() throws Exception {
            IllegalStateException fault = new IllegalStateException("a fault of the application");
            boolean[] fails = {false};
            HttpClientChooser chooser = new HttpClientChooser(() -> {
                if (fails[0]) {
                    throw fault;
                }
                return log.pipeline();
            });
            MemoryChannel server =
                    MemoryChannel.connected(tls(true, "h2"), new HttpServerChooser(log::pipeline, settings));
            MemoryChannel client = MemoryChannel.connected(tls(false, "h2"), chooser);
            pump(client, server);
            fails[0] = true;
            assertSame(fault, failure(chooser.open().toCompletableFuture()));
            fails[0] = false;
            assertTrue(chooser.open().toCompletableFuture().getNow(null).isOpen());
            Http2ClientConnection.of(client).drain();
            assertInstanceOf(
                    ClosedChannelException.class, failure(chooser.open().toCompletableFuture()));
            client.close();
            server.close();
        }

        @Test
        void shouldFailRequestsIfTheHandshakeFails() throws Exception {
            HttpClientChooser chooser = new HttpClientChooser(log::pipeline);
            MemoryChannel client = MemoryChannel.connected(tls(false, "h2"), chooser);
            CompletableFuture<Channel> opened = chooser.open().toCompletableFuture();
            client.receive(ChannelBuffers.copiedBuffer("HTTP/1.1 400 Bad Request\r\n\r\n", US_ASCII));
            assertInstanceOf(SSLException.class, failure(opened));
            assertFalse(chooser.isHttp2());
            client.close();
        }
    }
}
