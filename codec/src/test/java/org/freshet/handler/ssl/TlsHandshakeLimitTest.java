package org.freshet.handler.ssl;

import static org.freshet.handler.ssl.Bytes.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A handshake ends within a time limit, on a clock that the tests advance. */
@Tag("crypto")
class TlsHandshakeLimitTest {
    @Test
    void shouldEndHandshakesThatTakeTooLong() throws Exception {
        FakeTimer timer = new FakeTimer();
        SslHandler client = Certificates.client().timer(timer).build().newHandler("localhost", 1);
        SslHandler server = Certificates.server().timer(timer).build().newHandler();
        assertEquals(10_000, server.getHandshakeTimeout());
        MemoryChannel silentServer = MemoryChannel.connected(client);
        MemoryChannel silentClient = MemoryChannel.connected(server);
        ChannelFuture written = silentServer.write(text("lost"));
        timer.advanceMillis(9_999);
        assertTrue(silentServer.isOpen() && silentClient.isOpen());
        timer.advanceMillis(1);
        for (MemoryChannel channel : List.of(silentServer, silentClient)) {
            assertFalse(channel.isOpen());
            assertInstanceOf(SSLException.class, channel.takeCaught().get(0));
            assertEquals(Kind.TIMED_OUT, channel.getCloseReason().kind());
        }
        assertEquals(
                "handshake not completed within 10000 ms",
                client.handshake().getCause().getMessage());
        assertSame(client.handshake().getCause(), written.getCause());
        assertEquals(0, timer.pendingTimeouts());
    }

    /** Like a proxy's handler: the socket is connected, but not to the server. */
    private static final class Tunnel extends SimpleChannelUpstreamHandler {
        private ChannelHandlerContext ctx;
        private ChannelStateEvent connected;

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            this.ctx = ctx;
            connected = e;
        }

        void open() {
            ctx.sendUpstream(connected);
        }
    }

    private enum Start {
        WRITE,
        WRITE_BEFORE_CONNECT,
        HANDSHAKE,
        CONNECT
    }

    @ParameterizedTest
    @EnumSource
    void shouldStartNeitherTheHandshakeNorItsLimitBeforeATunnelIsOpen(Start start) throws Exception {
        FakeTimer timer = new FakeTimer();
        SslHandler client = Certificates.client().timer(timer).build().newHandler("localhost", 1);
        client.setIssueHandshake(start == Start.CONNECT);
        Tunnel tunnel = new Tunnel();
        MemoryChannel channel = MemoryChannel.open(tunnel, client);
        if (start == Start.WRITE_BEFORE_CONNECT) {
            channel.write(text("data"));
        }
        channel.connect(new InetSocketAddress("localhost", 1));
        if (start == Start.WRITE) {
            channel.write(text("data"));
        } else if (start == Start.HANDSHAKE) {
            client.handshake();
        }
        timer.advanceMillis(20_000);
        assertTrue(channel.isOpen());
        assertEquals(List.of(), channel.takeWritten(), "a proxy must not receive it");

        tunnel.open();
        assertEquals(1, channel.takeWritten().size(), "the ClientHello");
        timer.advanceMillis(9_999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldLimitHowLongACloseWaitsForATunnel() throws Exception {
        FakeTimer timer = new FakeTimer();
        SslHandler client = Certificates.client().timer(timer).build().newHandler("localhost", 1);
        MemoryChannel channel = MemoryChannel.open(new Tunnel(), client);
        channel.connect(new InetSocketAddress("localhost", 1));
        ChannelFuture written = channel.write(text("lost"));
        timer.advanceMillis(20_000);
        channel.close();
        timer.advanceMillis(9_999);
        assertTrue(channel.isOpen(), "the message may still be sent");
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
        assertInstanceOf(SSLException.class, written.getCause());
    }

    @Test
    void shouldCancelTheTimeLimitWhenTheHandshakeIsDone() throws Exception {
        FakeTimer timer = new FakeTimer();
        TlsPair pair = TlsPair.of(
                Certificates.client().timer(timer), Certificates.server().timer(timer), () -> 100);
        assertEquals(2, timer.pendingTimeouts());
        pair.established();
        assertEquals(0, timer.pendingTimeouts());
    }

    /** A stopped timer refuses. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLimitTheHandshakeAlthoughTheTimerRefuses(boolean isClient) throws Exception {
        FakeTimer stopped = new FakeTimer();
        stopped.stop();
        SslContextBuilder builder = isClient ? Certificates.client() : Certificates.server();
        SslContext context =
                builder.timer(stopped).handshakeTimeout(Duration.ofMillis(1)).build();
        SslHandler handler = isClient ? context.newHandler("localhost", 1) : context.newHandler();
        MemoryChannel silent = MemoryChannel.connected(handler);
        Await.success(silent.getCloseFuture(), "the close");
        assertInstanceOf(SSLException.class, Await.failure(handler.handshake(), "the handshake"));
        assertEquals(List.of(handler.handshake().getCause()), silent.takeCaught());
    }

    @Test
    void shouldLimitTheHandshakeWithoutATimer() throws Exception {
        SSLEngine engine = Certificates.server().build().newEngine();
        SslHandler handler = new SslHandler(engine, new SslBufferPool(), false, null, 1);
        MemoryChannel silent = MemoryChannel.connected(handler);
        Await.success(silent.getCloseFuture(), "the close");
        assertEquals(
                "handshake not completed within 1 ms",
                Await.failure(handler.handshake(), "the handshake").getMessage());
    }

    @Test
    void shouldLimitTheHandshakeWithEveryConstructor() throws Exception {
        SslContext context = Certificates.server().build();
        SslBufferPool pool = new SslBufferPool();
        List<SslHandler> handlers = List.of(
                new SslHandler(context.newEngine()),
                new SslHandler(context.newEngine(), pool),
                new SslHandler(context.newEngine(), true),
                new SslHandler(context.newEngine(), pool, true));
        handlers.forEach(handler -> assertEquals(10_000, handler.getHandshakeTimeout()));
        assertEquals(0, new SslHandler(context.newEngine(), pool, false, null, -1).getHandshakeTimeout());
    }
}
