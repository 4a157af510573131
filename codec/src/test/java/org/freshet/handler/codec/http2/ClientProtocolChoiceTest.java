package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.http2.Choices.events;
import static org.freshet.handler.codec.http2.Choices.has;
import static org.freshet.handler.codec.http2.Choices.named;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http2.Choices.Remover;
import org.freshet.handler.ssl.AgreedEngine;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which version a client's connection uses, and which events the handlers for it get. */
class ClientProtocolChoiceTest {
    private static final InetSocketAddress SERVER = new InetSocketAddress("127.0.0.1", 1);

    private final Http2Settings settings =
            Http2Settings.defaults().toBuilder().timer(new FakeTimer()).build();
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
        channel.connect(SERVER);
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
        channel.connect(SERVER);
        channel.close();
        assertInstanceOf(ClosedChannelException.class, failure(chooser.open().toCompletableFuture()));
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
        assertEquals(List.of("OPEN", "BOUND", "CONNECTED", "not CONNECTED", "not BOUND", "not OPEN"), events(other));
    }

    /** For example, because the I/O thread is busy. */
    @Test
    void shouldFailEvenIfTheCloseAfterAFaultComesLater() {
        HttpClientChooser failing = new HttpClientChooser(() -> {
            throw new IllegalStateException("a fault of the application");
        });
        ChannelDownstreamHandler keepsOpen = (ctx, e) -> {
            boolean isClose = e instanceof ChannelStateEvent state && Boolean.FALSE.equals(state.getValue());
            if (!isClose) {
                ctx.sendDownstream(e);
            }
        };
        MemoryChannel other = MemoryChannel.connected(keepsOpen, failing);
        assertTrue(other.isOpen());
        assertInstanceOf(ClosedChannelException.class, failure(failing.open().toCompletableFuture()));
    }

    /** A handler's fault while the others are being removed must not hide the first. */
    @Test
    void shouldReportBothFaultsOfItsHandlers() {
        IllegalStateException stays = new IllegalStateException("stays");
        HttpClientChooser failing = new HttpClientChooser(() -> Channels.pipeline(new Faulty(), new Stays(stays)));
        MemoryChannel other = MemoryChannel.connected(failing);
        Throwable caught = other.takeCaught().get(0);
        assertTrue(messages(caught).contains("joins"), () -> messages(caught).toString());
        assertTrue(messages(caught).contains("stays"), () -> messages(caught).toString());
    }

    private static List<String> messages(Throwable failure) {
        List<String> all = new ArrayList<>();
        for (Throwable next = failure; next != null; next = next.getCause()) {
            all.add(next.getMessage());
            for (Throwable suppressed : next.getSuppressed()) {
                all.addAll(messages(suppressed));
            }
        }
        return all;
    }

    @Test
    void shouldAllowAHandlerToRemoveItFirst() {
        HttpClientChooser removed = new HttpClientChooser(() -> Channels.pipeline(new Remover()));
        MemoryChannel other = MemoryChannel.connected(removed);
        assertEquals(List.of(), other.takeCaught());
        assertSame(other, removed.open().toCompletableFuture().getNow(null));
        assertFalse(has(other, HttpClientChooser.class));
    }

    @Test
    void shouldRequireItsFactoryAndSettings() {
        assertThrows(NullPointerException.class, () -> new HttpClientChooser(null));
        assertThrows(NullPointerException.class, () -> new HttpClientChooser(Channels::pipeline, null));
    }

    /** The handshake ends when a test says so. */
    @Nested
    class OverTls {
        private final StreamLog log = new StreamLog();
        private boolean isFactoryFaulty;
        private final IllegalStateException fault = new IllegalStateException("a fault of the application");
        private final HttpClientChooser secured = new HttpClientChooser(this::pipeline, settings);
        private final CompletableFuture<Channel> first = secured.open().toCompletableFuture();

        private ChannelPipeline pipeline() {
            if (isFactoryFaulty) {
                throw fault;
            }
            return log.pipeline();
        }

        private MemoryChannel connect(String agreed) {
            return MemoryChannel.connected(new SslHandler(new AgreedEngine(agreed)), secured);
        }

        @Test
        void shouldBeHttp2IfTlsHasAgreedOnThat() {
            MemoryChannel connection = connect("h2");
            assertFalse(first.isDone());
            assertEquals(List.of(), events(connection));
            connection.receive(AgreedEngine.hello());
            assertTrue(secured.isHttp2());
            assertSame(connection, first.getNow(null).getParent());
            assertInstanceOf(Http2StreamChannel.class, first.getNow(null));
            assertNotSame(
                    first.getNow(null), secured.open().toCompletableFuture().getNow(null));
            assertEquals(List.of("OPEN", "BOUND", "CONNECTED"), events(connection));
            assertTrue(has(connection, Http2ClientHandler.class));
            assertFalse(has(connection, HttpClientChooser.class));
            assertFalse(has(connection, HttpClientCodec.class));
            connection.close();
        }

        /** Of any kind: here a message, and what another handler has to say. */
        @Test
        void shouldPassOnWhatComesBeforeTheChoiceAfterIt() {
            MemoryChannel connection = connect("h2");
            connection.setReadable(false);
            ChannelHandlerContext tls = connection.getPipeline().getContext(SslHandler.class);
            Channels.fireMessageReceived(tls, "early");
            assertEquals(List.of(), events(connection));
            connection.receive(AgreedEngine.hello());
            assertEquals(List.of("OPEN", "BOUND", "CONNECTED", "INTEREST_OPS", "early"), events(connection));
            assertEquals(List.of(), connection.takeCaught());
            connection.close();
        }

        @ParameterizedTest
        @CsvSource({"http/1.1", "''", ","})
        void shouldBeHttp11Otherwise(String agreed) {
            MemoryChannel connection = connect(agreed);
            assertFalse(first.isDone());
            connection.receive(AgreedEngine.hello());
            assertFalse(secured.isHttp2());
            assertSame(connection, first.getNow(null));
            assertTrue(has(connection, HttpClientCodec.class));
            assertFalse(has(connection, HttpClientChooser.class));
            assertFalse(has(connection, Http2ClientHandler.class));
            connection.close();
        }

        @Test
        void shouldAddNoHandlersIfTheConnectionEndsRightAfterTheHandshake() {
            MemoryChannel connection = connect("h2").holdTasks();
            connection.receive(AgreedEngine.hello());
            assertFalse(first.isDone());
            Channels.close(connection.getPipeline().getContext(SslHandler.class), Channels.future(connection));
            assertInstanceOf(ClosedChannelException.class, failure(first));
            connection.runTasks();
            assertFalse(secured.isHttp2());
            assertFalse(has(connection, Http2ClientHandler.class));
            assertFalse(has(connection, HttpClientCodec.class));
            assertEquals(List.of(), connection.takeCaught());
        }

        @Test
        void shouldFailRequestsIfTheHandshakeFails() {
            MemoryChannel connection = connect("h2");
            connection.receive(ChannelBuffers.copiedBuffer("HTTP/1.1 400 Bad Request\r\n\r\n", US_ASCII));
            assertInstanceOf(SSLException.class, failure(first));
            assertFalse(secured.isHttp2());
        }

        @Test
        void shouldFailRequestsThatGetNoStream() {
            MemoryChannel connection = connect("h2");
            connection.receive(AgreedEngine.hello());
            isFactoryFaulty = true;
            assertSame(fault, failure(secured.open().toCompletableFuture()));
            isFactoryFaulty = false;
            assertTrue(secured.open().toCompletableFuture().getNow(null).isOpen());
            Http2ClientConnection.of(connection).drain();
            assertInstanceOf(
                    ClosedChannelException.class, failure(secured.open().toCompletableFuture()));
            connection.close();
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
}
