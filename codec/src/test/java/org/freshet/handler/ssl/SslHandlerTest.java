package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelHandlerLifeCycleException;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.ssl.util.InsecureTrustManagerFactory;
import org.freshet.handler.ssl.util.SimpleTrustManagerFactory;
import org.freshet.handler.stream.ChunkedStream;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The handler's contract, with a client and a server in memory. */
class SslHandlerTest {
    private static final String TLS_1_2 = "TLSv1.2";
    private static final String TLS_1_3 = "TLSv1.3";

    // ---- data ----

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldExchangeMessagesAndSayGoodbyeInBothDirections(String protocol) throws Exception {
        TlsPair pair = TlsPair.of(protocol).established();
        assertEquals(protocol, pair.clientHandler.getEngine().getSession().getProtocol());
        ChannelFuture written = pair.client.write(text("hello"));
        pair.pump();
        assertTrue(written.isSuccess());
        assertEquals("hello", TlsPair.received(pair.server).toString(US_ASCII));
        pair.server.write(text("good bye"));
        pair.pump();
        assertEquals("good bye", TlsPair.received(pair.client).toString(US_ASCII));

        ChannelFuture goodbye = pair.client.getPipeline().get(SslHandler.class).close();
        assertTrue(goodbye.isSuccess());
        assertTrue(pair.client.isOpen());
        pair.pump();
        assertFalse(pair.server.isOpen(), "the peer's close_notify closes the channel");
        assertTrue(pair.serverHandler.getSSLEngineInboundCloseFuture().isSuccess());
        assertTrue(pair.clientHandler.getSSLEngineInboundCloseFuture().isSuccess(), "answered");
        assertNothingCaught(pair);
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldNotDependOnHowTheStreamIsSplit(String protocol) throws Exception {
        Random random = Seeds.random();
        IntSupplier[] splits = {() -> 1, () -> 3, () -> 5, () -> 1460, () -> 16 * 1024, () -> 1 + random.nextInt(40_000)
        };
        for (IntSupplier split : splits) {
            TlsPair pair = TlsPair.of(protocol, split).established();
            ChannelBuffer sent = randomBytes(random, 100_000);
            pair.client.write(sent.slice(0, 40_000));
            for (int i = 40_000; i < 42_000; i += 100) {
                pair.client.write(sent.slice(i, 100));
            }
            pair.client.write(sent.slice(42_000, 58_000));
            pair.pump();
            assertEquals(sent, TlsPair.received(pair.server));
            pair.server.write(sent);
            pair.server.close();
            pair.pump();
            assertEquals(sent, TlsPair.received(pair.client));
            assertTrue(pair.clientHandler.getSSLEngineInboundCloseFuture().isSuccess());
            assertFalse(pair.client.isOpen());
            assertNothingCaught(pair);
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                12 * 1024 - 1,
                12 * 1024,
                16 * 1024,
                16 * 1024 + 1,
                28 * 1024,
                64 * 1024,
                64 * 1024 + 1,
                1_000_000
            })
    void shouldSendMessagesOfAnySize(int size) throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        ChannelBuffer sent = randomBytes(Seeds.random(), size);
        ChannelFuture written = pair.client.write(sent);
        assertTrue(written.isSuccess());
        assertEquals(size, sent.readableBytes(), "the message is not changed");
        pair.pump();
        assertEquals(sent, TlsPair.received(pair.server));
    }

    @Test
    void shouldSendCompositeMessagesOfManyPieces() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        ChannelBuffer sent = randomBytes(Seeds.random(), 50_000);
        List<ChannelBuffer> pieces = new ArrayList<>();
        for (int i = 0; i < 50_000; i += 10) {
            pieces.add(sent.slice(i, 10));
        }
        pair.client.write(ChannelBuffers.wrappedBuffer(pieces.toArray(new ChannelBuffer[0])));
        pair.pump();
        assertEquals(sent, TlsPair.received(pair.server));
    }

    @Test
    void shouldSendDirectAndReadOnlyMessages() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        ChannelBuffer direct = ChannelBuffers.directBuffer(20_000);
        direct.writeBytes(randomBytes(Seeds.random(), 20_000));
        pair.client.write(ChannelBuffers.unmodifiableBuffer(direct));
        pair.pump();
        assertEquals(direct, TlsPair.received(pair.server));
    }

    @Test
    void shouldPutSmallMessagesThatWaitIntoOneRecord() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        List<ChannelFuture> written = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            written.add(pair.client.write(text("line " + i + "\n")));
        }
        pair.established();
        String received = TlsPair.received(pair.server).toString(US_ASCII);
        assertTrue(received.startsWith("line 0\nline 1\n") && received.endsWith("line 49\n"), received);
        written.forEach(future -> assertTrue(future.isSuccess()));
        assertTrue(pair.deliveredBytes < 4500, "50 records would have had 1100 bytes more: " + pair.deliveredBytes);
    }

    @Test
    void shouldAnswerRequestsOfOneReadInOneWrite() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        pair.server.getPipeline().addLast("echo", new SimpleChannelUpstreamHandler());
        pair.server.getPipeline().addBefore("keeper of a MemoryChannel", "answer", new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                for (int i = 0; i < 10; i++) {
                    e.getChannel().write(text("answer"));
                }
            }
        });
        pair.client.write(text("request"));
        pair.deliver(pair.client, pair.server);
        assertEquals(1, pair.server.takeWritten().size());
    }

    @Test
    void shouldFailTheMessagesOfAWriteThatFails() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        pair.client.holdWrites();
        ChannelFuture small = pair.client.write(text("small"));
        ChannelFuture large = pair.client.write(ChannelBuffers.buffer(200_000).duplicate());
        assertFalse(small.isDone());
        IOException cause = new IOException("network");
        pair.client.failWrites(cause);
        assertSame(cause, small.getCause());
        assertTrue(large.isDone());
    }

    @Test
    void shouldNotBeWritableWhileMuchWaitsForTheHandshake() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        pair.client.write(ChannelBuffers.wrappedBuffer(new byte[64 * 1024]));
        assertTrue(pair.client.isWritable());
        ChannelFuture written = pair.client.write(text("x"));
        assertFalse(pair.client.isWritable());
        pair.established();
        assertTrue(pair.client.isWritable());
        assertTrue(written.isSuccess());
        assertEquals(64 * 1024 + 1, TlsPair.received(pair.server).readableBytes());
    }

    @Test
    void shouldBeWritableAgainWhenTheHandshakeFails() throws Exception {
        TlsPair pair = TlsPair.of(SslContextBuilder.forClient(), Certificates.server(), () -> 100);
        ChannelFuture written = pair.client.write(ChannelBuffers.wrappedBuffer(new byte[100_000]));
        assertFalse(pair.client.isWritable());
        pair.pump();
        assertFalse(written.isSuccess());
        assertTrue(pair.client.isWritable());
    }

    /** Neither before the handshake nor in the middle of a received message is a file read faster than it can be sent. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReadChunksOnlyAsTheyCanBeSent(boolean early) throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        byte[] content = randomBytes(Seeds.random(), 1_000_000).array();
        ChunkedStream input = new ChunkedStream(new ByteArrayInputStream(content), 10_000);
        pair.server.getPipeline().addAfter(name(pair.server), "chunks", new ChunkedWriteHandler());
        if (early) {
            pair.server.write(input);
            assertEquals(70_000, input.getTransferredBytes());
        } else {
            pair.established();
            long[] readInTheTurn = new long[1];
            pair.server
                    .getPipeline()
                    .addBefore("keeper of a MemoryChannel", "answer", new SimpleChannelUpstreamHandler() {
                        @Override
                        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                            e.getChannel().write(input);
                            readInTheTurn[0] = input.getTransferredBytes();
                        }
                    });
            pair.client.write(text("request"));
            pair.deliver(pair.client, pair.server);
            assertEquals(70_000, readInTheTurn[0]);
        }
        pair.established();
        assertEquals(ChannelBuffers.wrappedBuffer(content), TlsPair.received(pair.client));
        assertTrue(pair.server.isWritable());
    }

    private static String name(MemoryChannel channel) {
        return channel.getPipeline().getContext(SslHandler.class).getName();
    }

    @Test
    void shouldRefuseFileRegions() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        Path file = Certificates.LOCALHOST.certificate().toPath();
        try (FileChannel open = FileChannel.open(file)) {
            ChannelFuture written = pair.client.write(new DefaultFileRegion(open, 0, 1));
            assertInstanceOf(SSLException.class, written.getCause());
            assertEquals(List.of(), pair.client.takeWritten());
        }
    }

    @Test
    void shouldPassOnMessagesThatAreNoBytes() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        pair.client.write("for a handler below");
        assertEquals(List.of("for a handler below"), pair.client.takeWritten());
    }

    // ---- handshake ----

    @Test
    void shouldTellOfTheConnectionAfterTheHandshakeItIssued() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        assertFalse(hasBecomeConnected(pair.client));
        assertTrue(hasBecomeConnected(pair.server));
        pair.established();
        assertTrue(hasBecomeConnected(pair.client));
    }

    private static boolean hasBecomeConnected(MemoryChannel channel) {
        return channel.takeUpstream().stream()
                .anyMatch(e -> e instanceof ChannelStateEvent s
                        && s.getState() == ChannelState.CONNECTED
                        && s.getValue() != null);
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldStartTheHandshakeWithTheFirstWrite(String protocol) throws Exception {
        SslHandler client = Certificates.client().protocols(protocol).build().newHandler("localhost", 1);
        client.setIssueHandshake(false);
        TlsPair pair = new TlsPair(client, Certificates.server().build().newHandler(), () -> 100);
        pair.pump();
        assertEquals(0, pair.deliveries);
        pair.server.write(text("server first"));
        ChannelFuture written = pair.client.write(text("client"));
        assertFalse(written.isDone());
        pair.established();
        assertTrue(written.isSuccess());
        assertEquals("client", TlsPair.received(pair.server).toString(US_ASCII));
        assertEquals("server first", TlsPair.received(pair.client).toString(US_ASCII));
    }

    @Test
    void shouldStartTheHandshakeWhenAskedBeforeTheConnection() throws Exception {
        SslHandler handler = Certificates.client().build().newHandler("localhost", 1);
        handler.setIssueHandshake(false);
        assertThrows(IllegalStateException.class, handler::handshake);
        MemoryChannel channel = MemoryChannel.open(handler);
        ChannelFuture handshake = handler.handshake();
        assertEquals(List.of(), channel.takeWritten());
        channel.connect(new java.net.InetSocketAddress("localhost", 1));
        assertEquals(1, channel.takeWritten().size());
        assertFalse(handshake.isDone());
        assertSame(channel, handshake.getChannel());
        channel.close();
        assertInstanceOf(ClosedChannelException.class, handshake.getCause());
    }

    @Test
    void shouldSendWhatIsWrittenBeforeACloseDuringTheHandshake() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        ChannelFuture written = pair.client.write(text("last words"));
        ChannelFuture closed = pair.client.close();
        assertFalse(closed.isDone());
        pair.pump();
        assertTrue(written.isSuccess());
        assertTrue(closed.isSuccess());
        assertEquals("last words", TlsPair.received(pair.server).toString(US_ASCII));
        assertTrue(pair.serverHandler.getSSLEngineInboundCloseFuture().isSuccess());
    }

    @Test
    void shouldCloseAtOnceDuringTheHandshakeIfNothingWaits() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        assertTrue(pair.client.close().isSuccess());
        assertInstanceOf(
                ClosedChannelException.class, pair.clientHandler.handshake().getCause());
    }

    @Test
    void shouldNotWaitForAHandshakeWithoutLimit() throws Exception {
        SslHandler handler = new SslHandler(
                Certificates.client().build().newEngine("localhost", 1), new SslBufferPool(), false, null, 0);
        MemoryChannel channel = MemoryChannel.connected(handler);
        ChannelFuture written = channel.write(text("never"));
        ChannelFuture closed = channel.close();
        assertTrue(closed.isSuccess());
        assertInstanceOf(ClosedChannelException.class, written.getCause());
    }

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
        }
        assertEquals(
                "handshake not done within 10000 ms",
                client.handshake().getCause().getMessage());
        assertSame(client.handshake().getCause(), written.getCause());
        assertEquals(0, timer.pendingTimeouts());
    }

    /** A handshake that might last for ever is worse than none. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFailWhenTheTimerTakesNoLimit(boolean isClient) throws Exception {
        FakeTimer stopped = new FakeTimer();
        stopped.stop();
        SslHandler handler = isClient
                ? Certificates.client().timer(stopped).build().newHandler("localhost", 1)
                : Certificates.server().timer(stopped).build().newHandler();
        MemoryChannel channel = MemoryChannel.connected(handler);
        assertFalse(channel.isOpen());
        assertInstanceOf(SSLException.class, handler.handshake().getCause());
        assertEquals(List.of(handler.handshake().getCause()), channel.takeCaught());
    }

    @Test
    void shouldLimitTheHandshakeWithoutATimer() throws Exception {
        SSLEngine engine = Certificates.server().build().newEngine();
        SslHandler handler = new SslHandler(engine, new SslBufferPool(), false, null, 1);
        MemoryChannel silent = MemoryChannel.connected(handler);
        Await.success(silent.getCloseFuture(), "the close");
        assertEquals(
                "handshake not done within 1 ms",
                Await.failure(handler.handshake(), "the handshake").getMessage());
    }

    @Test
    void shouldLimitTheHandshakeWhateverTheConstructor() throws Exception {
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

    @Test
    void shouldCancelTheTimeLimitWhenTheHandshakeIsDone() throws Exception {
        FakeTimer timer = new FakeTimer();
        TlsPair pair = TlsPair.of(
                Certificates.client().timer(timer), Certificates.server().timer(timer), () -> 100);
        assertEquals(2, timer.pendingTimeouts());
        pair.established();
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldFailTheHandshakeWhenTheCertificateIsNotTrusted() throws Exception {
        TlsPair pair = TlsPair.of(SslContextBuilder.forClient(), Certificates.server(), () -> 100);
        ChannelFuture written = pair.client.write(text("secret"));
        pair.pump();
        Throwable cause = pair.clientHandler.handshake().getCause();
        assertInstanceOf(SSLHandshakeException.class, cause);
        assertSame(cause, written.getCause());
        assertEquals(List.of(cause), pair.client.takeCaught());
        assertFalse(pair.client.isOpen());
        String alert = pair.serverHandler.handshake().getCause().getMessage();
        assertTrue(alert.contains("certificate_unknown"), alert);
        assertFalse(pair.server.isOpen());
    }

    @Test
    void shouldLeaveTheChannelOpenIfToldSo() throws Exception {
        SslHandler client = SslContextBuilder.forClient().build().newHandler("localhost", 1);
        client.setCloseOnSSLException(false);
        assertFalse(client.getCloseOnSSLException());
        TlsPair pair = new TlsPair(client, Certificates.server().build().newHandler(), () -> 100);
        assertThrows(IllegalStateException.class, () -> client.setCloseOnSSLException(true));
        pair.pump();
        assertInstanceOf(SSLHandshakeException.class, client.handshake().getCause());
        assertTrue(pair.client.isOpen());
        assertInstanceOf(
                ClosedChannelException.class, pair.client.write(text("late")).getCause());
        pair.client.close();
        assertFalse(pair.client.isOpen());
    }

    @Test
    void shouldResumeSessions() throws Exception {
        SslContext client = Certificates.client().protocols(TLS_1_2).build();
        SslContext server = Certificates.server().build();
        byte[] first = session(client, server);
        assertEquals(32, first.length);
        assertEquals(ChannelBuffers.wrappedBuffer(first), ChannelBuffers.wrappedBuffer(session(client, server)));
    }

    /** TLS 1.3 has no ids to compare; but a server is looked at only if no session is resumed. */
    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldTrustAServerOnceASession(String protocol) throws Exception {
        AtomicInteger looked = new AtomicInteger();
        SslContext client = SslContextBuilder.forClient()
                .trust(new Looking(looked))
                .protocols(protocol)
                .build();
        SslContext server = Certificates.server().build();
        for (int i = 0; i < 3; i++) {
            new TlsPair(client.newHandler("localhost", 1), server.newHandler(), () -> 500).established();
        }
        assertEquals(1, looked.get());
        new TlsPair(client.newHandler("localhost", 2), server.newHandler(), () -> 500).established();
        assertEquals(2, looked.get(), "another port is another server");
    }

    /** Trusts everybody and counts them. */
    private static final class Looking extends SimpleTrustManagerFactory {
        private final AtomicInteger looked;

        Looking(AtomicInteger looked) {
            this.looked = looked;
        }

        @Override
        protected void engineInit(KeyStore keyStore) {}

        @Override
        protected void engineInit(ManagerFactoryParameters parameters) {}

        @Override
        protected TrustManager[] engineGetTrustManagers() {
            return new TrustManager[] {
                new X509TrustManager() {
                    @Override
                    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

                    @Override
                    public void checkServerTrusted(X509Certificate[] chain, String authType) {
                        looked.incrementAndGet();
                    }

                    @Override
                    public X509Certificate[] getAcceptedIssuers() {
                        return new X509Certificate[0];
                    }
                }
            };
        }
    }

    private static byte[] session(SslContext client, SslContext server) {
        TlsPair pair = new TlsPair(client.newHandler("localhost", 1), server.newHandler(), () -> 500).established();
        byte[] id = pair.clientHandler.getEngine().getSession().getId();
        pair.client.close();
        pair.pump();
        return id;
    }

    @Test
    void shouldAskClientsForCertificates() throws Exception {
        SslContextBuilder server =
                Certificates.server().trust(Certificates.OTHER.cert()).clientAuth(ClientAuth.REQUIRE);
        TlsPair known = TlsPair.of(
                Certificates.client().key(Certificates.OTHER.certificate(), Certificates.OTHER.privateKey(), null),
                server,
                () -> 1000);
        known.established();
        assertEquals(
                Certificates.OTHER.cert(),
                known.serverHandler.getEngine().getSession().getPeerCertificates()[0]);
        TlsPair unknown = TlsPair.of(Certificates.client(), server, () -> 1000);
        unknown.pump();
        assertInstanceOf(
                SSLHandshakeException.class, unknown.serverHandler.handshake().getCause());
        assertFalse(unknown.client.isOpen());
        TlsPair optional = TlsPair.of(Certificates.client(), server.clientAuth(ClientAuth.OPTIONAL), () -> 1000);
        optional.established();
    }

    @Test
    void shouldRefuseToRenegotiateUnlessEnabled() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_2).established();
        assertFalse(pair.serverHandler.isEnableRenegotiation());
        pair.clientHandler.setEnableRenegotiation(true);
        ChannelFuture again = pair.clientHandler.handshake();
        assertFalse(again.isDone());
        pair.pump();
        assertEquals(
                "the peer asked to renegotiate, which is not enabled",
                pair.server.takeCaught().get(0).getMessage());
        assertFalse(pair.server.isOpen());
        assertFalse(again.isSuccess());
        assertTrue(again.isDone());
    }

    @Test
    void shouldRenegotiateIfEnabled() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_2).established();
        pair.clientHandler.setEnableRenegotiation(true);
        pair.serverHandler.setEnableRenegotiation(true);
        ChannelFuture before = pair.clientHandler.handshake();
        pair.pump();
        assertTrue(before.isSuccess());
        ChannelFuture again = pair.clientHandler.handshake();
        assertNotSame(before, again);
        pair.client.write(text("after it"));
        pair.pump();
        assertTrue(again.isSuccess(), () -> "" + again);
        assertEquals("after it", TlsPair.received(pair.server).toString(US_ASCII));
        assertNothingCaught(pair);
    }

    /** Both sides may want another handshake at the same time. */
    @Test
    void shouldCompleteTheFutureOfAHandshakeThatThePeerStartsMeanwhile() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_2).established();
        pair.clientHandler.setEnableRenegotiation(true);
        pair.serverHandler.setEnableRenegotiation(true);
        pair.server.holdTasks();
        ChannelFuture requested = pair.serverHandler.handshake();
        pair.clientHandler.handshake();
        pair.deliver(pair.client, pair.server);
        pair.server.runTasks();
        pair.pump();
        assertTrue(requested.isSuccess(), () -> "" + requested);
        assertNothingCaught(pair);
    }

    @Test
    void shouldAnswerALaterHandshakeRequestWithTheFirstHandshake() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        pair.clientHandler.setEnableRenegotiation(true);
        ChannelFuture handshake = pair.clientHandler.handshake();
        pair.established();
        assertSame(handshake, pair.clientHandler.handshake());
        pair.pump();
        assertTrue(pair.client.isOpen());
    }

    // ---- delegated tasks ----

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldGoOnWhenTasksThatRunElsewhereAreDone(String protocol) throws Exception {
        Queue<Runnable> tasks = new ArrayDeque<>();
        TlsPair pair = TlsPair.of(
                Certificates.client().protocols(protocol).delegatedTaskExecutor(tasks::add),
                Certificates.server().protocols(protocol).delegatedTaskExecutor(tasks::add),
                () -> 70);
        pair.client.write(text("hello"));
        int ran = 0;
        for (pair.pump(); !tasks.isEmpty(); pair.pump()) {
            tasks.remove().run();
            ran++;
        }
        assertTrue(ran >= 2, "tasks: " + ran);
        pair.established();
        assertEquals("hello", TlsPair.received(pair.server).toString(US_ASCII));
        assertNothingCaught(pair);
    }

    @Test
    void shouldSuspendReadingWhileTasksHoldUpALot() throws Exception {
        Queue<Runnable> tasks = new ArrayDeque<>();
        TlsPair pair =
                TlsPair.of(Certificates.client(), Certificates.server().delegatedTaskExecutor(tasks::add), () -> 70);
        pair.pump();
        assertFalse(tasks.isEmpty());
        assertTrue(pair.server.isReadable());
        pair.server.receive(record(TlsRecords.APPLICATION_DATA, 3, new byte[16_000]));
        assertTrue(pair.server.isReadable());
        for (int i = 0; i < 4; i++) {
            pair.server.receive(record(TlsRecords.APPLICATION_DATA, 3, new byte[16_000]));
        }
        assertFalse(pair.server.isReadable());
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        assertTrue(pair.server.isReadable());
        assertFalse(pair.server.isOpen(), "what was received instead of the client's answer was no answer");
    }

    @Test
    void shouldNotForgetThatTheUserSuspendedReadingMeanwhile() throws Exception {
        Queue<Runnable> tasks = new ArrayDeque<>();
        TlsPair pair =
                TlsPair.of(Certificates.client(), Certificates.server().delegatedTaskExecutor(tasks::add), () -> 70);
        pair.pump();
        pair.server.setReadable(false);
        for (int i = 0; i < 5; i++) {
            pair.server.receive(record(TlsRecords.APPLICATION_DATA, 3, new byte[16_000]));
        }
        tasks.remove().run();
        assertFalse(pair.server.isReadable());
    }

    @Test
    void shouldFailWhenTheExecutorRefusesATask() throws Exception {
        TlsPair pair = TlsPair.of(
                Certificates.client(),
                Certificates.server().delegatedTaskExecutor(task -> {
                    throw new java.util.concurrent.RejectedExecutionException("full");
                }),
                () -> 1000);
        pair.pump();
        assertEquals("full", pair.server.takeCaught().get(0).getMessage());
        assertFalse(pair.server.isOpen());
    }

    // ---- closing ----

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldAnswerARequestThatCloseNotifyFollowsAtOnce(String protocol) throws Exception {
        TlsPair pair = TlsPair.of(protocol).established();
        pair.server.getPipeline().addBefore("keeper of a MemoryChannel", "answer", new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                e.getChannel().write(text("answer"));
            }
        });
        pair.client.write(text("request"));
        pair.clientHandler.close();
        ChannelBuffer both = ChannelBuffers.dynamicBuffer();
        pair.client.takeWritten().forEach(message -> both.writeBytes((ChannelBuffer) message));
        pair.server.receive(both);
        pair.pump();
        assertEquals("answer", TlsPair.received(pair.client).toString(US_ASCII));
        assertTrue(pair.clientHandler.getSSLEngineInboundCloseFuture().isSuccess());
    }

    @Test
    void shouldTellThatTheStreamWasCutShort() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        Channels.close(pair.client.context(pair.clientHandler), Channels.future(pair.client)); // the wire breaks
        assertInstanceOf(
                SSLException.class,
                pair.clientHandler.getSSLEngineInboundCloseFuture().getCause());
        assertEquals(List.of(), pair.client.takeCaught());
    }

    @Test
    void shouldFailWhatWaitsWhenTheConnectionBreaks() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        ChannelFuture written = pair.client.write(text("lost"));
        Channels.close(pair.client.context(pair.clientHandler), Channels.future(pair.client));
        assertInstanceOf(ClosedChannelException.class, written.getCause());
        assertInstanceOf(
                ClosedChannelException.class, pair.clientHandler.handshake().getCause());
        assertInstanceOf(
                ClosedChannelException.class, pair.client.write(text("late")).getCause());
    }

    @Test
    void shouldKeepQuietAboutAResetAfterOurGoodbye() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        pair.clientHandler.close();
        Channels.fireExceptionCaught(pair.client, new IOException("Connection reset"));
        assertEquals(List.of(), pair.client.takeCaught());
        assertFalse(pair.client.isOpen());
        TlsPair other = TlsPair.of(TLS_1_3).established();
        Channels.fireExceptionCaught(other.client, new IOException("Connection reset"));
        assertEquals(1, other.client.takeCaught().size());
    }

    @Test
    void shouldFailWhatWaitsWhenRemovedAndHandOverWhatIsUnread() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        ChannelFuture written = pair.client.write(text("lost"));
        pair.client.receive(text("abc"));
        pair.client.getPipeline().remove(pair.clientHandler);
        assertInstanceOf(SSLException.class, written.getCause());
        assertInstanceOf(SSLException.class, pair.clientHandler.handshake().getCause());
        assertEquals("abc", TlsPair.received(pair.client).toString(US_ASCII));
        pair.client.takeWritten();
        pair.client.write(text("plain"));
        assertEquals(List.of(text("plain")), pair.client.takeWritten());
    }

    /** What it was before cannot be gone on with, and there would be neither data nor a failure. */
    @Test
    void shouldRefuseToBeAddedAgainAfterItWasRemoved() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        pair.client.getPipeline().remove(pair.clientHandler);
        ChannelHandlerLifeCycleException refusal = assertThrows(
                ChannelHandlerLifeCycleException.class,
                () -> pair.client.getPipeline().addFirst("tls", pair.clientHandler));
        assertInstanceOf(IllegalStateException.class, refusal.getCause());
    }

    // ---- StartTLS ----

    @Test
    void shouldPassTheFirstWriteOfStartTls() throws Exception {
        SslContext context = Certificates.server().build();
        MemoryChannel server = MemoryChannel.connected();
        SslHandler handler = new SslHandler(context.newEngine(), true);
        server.getPipeline().addFirst("tls", handler);
        server.write(text("go ahead"));
        assertEquals(List.of(text("go ahead")), server.takeWritten());
        ChannelFuture second = server.write(text("encrypted"));
        assertEquals(List.of(), server.takeWritten());
        assertFalse(second.isDone());
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldStartTlsOnAConnectionThatIsInUse(String protocol) throws Exception {
        MemoryChannel client = MemoryChannel.connected();
        MemoryChannel server = MemoryChannel.connected();
        client.write(text("start"));
        server.receive((ChannelBuffer) client.takeWritten().get(0));
        assertEquals("start", TlsPair.received(server).toString(US_ASCII));
        SslHandler serverHandler =
                new SslHandler(Certificates.server().protocols(protocol).build().newEngine(), true);
        server.getPipeline().addFirst("tls", serverHandler);
        server.write(text("go ahead"));
        client.receive((ChannelBuffer) server.takeWritten().get(0));
        assertEquals("go ahead", TlsPair.received(client).toString(US_ASCII));
        SslHandler clientHandler = Certificates.client().build().newHandler("localhost", 1);
        client.getPipeline().addFirst("tls", clientHandler);
        TlsPair pair = new TlsPair(clientHandler, client, serverHandler, server, () -> 100).established();
        assertEquals(protocol, clientHandler.getEngine().getSession().getProtocol());
        client.write(text("secret"));
        server.write(text("also secret"));
        pair.pump();
        assertEquals("secret", TlsPair.received(server).toString(US_ASCII));
        assertEquals("also secret", TlsPair.received(client).toString(US_ASCII));
        assertNothingCaught(pair);
    }

    @Test
    void shouldBeAddedToAConnectionThatIsThere() throws Exception {
        SslHandler clientHandler = Certificates.client().build().newHandler("localhost", 1);
        SslHandler serverHandler = Certificates.server().build().newHandler();
        MemoryChannel client = MemoryChannel.connected();
        client.getPipeline().addFirst("tls", clientHandler);
        assertEquals(1, client.takeWritten().size(), "the handshake starts");
        MemoryChannel server = MemoryChannel.connected();
        server.getPipeline().addFirst("tls", serverHandler);
        server.close();
        assertInstanceOf(ClosedChannelException.class, serverHandler.handshake().getCause());
    }

    // ---- verification of the name ----

    @Test
    void shouldRefuseAServerOfAnotherName() throws Exception {
        TlsPair pair = new TlsPair(
                Certificates.client().build().newHandler("example.com", 1),
                Certificates.server().build().newHandler(),
                () -> 1000);
        pair.pump();
        String refusal = pair.clientHandler.handshake().getCause().getMessage();
        assertTrue(refusal.contains("example.com"), refusal);
        assertFalse(pair.server.isOpen());
    }

    @Test
    void shouldVerifyIpAddresses() throws Exception {
        SslContextBuilder client = SslContextBuilder.forClient().trust(Certificates.LOOPBACK_ADDRESS.cert());
        SslContext server = Certificates.server(Certificates.LOOPBACK_ADDRESS).build();
        new TlsPair(client.build().newHandler("127.0.0.1", 1), server.newHandler(), () -> 1000).established();
        TlsPair wrong = new TlsPair(client.build().newHandler("127.0.0.2", 1), server.newHandler(), () -> 1000);
        wrong.pump();
        assertFalse(wrong.clientHandler.handshake().isSuccess());
    }

    @Test
    void shouldRefuseAnyServerIfThereIsNoNameToVerify() throws Exception {
        TlsPair pair = new TlsPair(
                Certificates.client().build().newHandler(),
                Certificates.server().build().newHandler(),
                () -> 1000);
        pair.pump();
        assertInstanceOf(
                SSLHandshakeException.class, pair.clientHandler.handshake().getCause());
    }

    @Test
    void shouldNotVerifyTheNameIfToldSo() throws Exception {
        SslContext client = Certificates.client().verifyHostname(false).build();
        new TlsPair(
                        client.newHandler("example.com", 1),
                        Certificates.server().build().newHandler(),
                        () -> 1000)
                .established();
        new TlsPair(client.newHandler(), Certificates.server().build().newHandler(), () -> 1000).established();
    }

    @Test
    void shouldVerifyTheNameForAnEngineOfTheUsers() throws Exception {
        JdkSslContext context = (JdkSslContext) Certificates.client().build();
        SSLEngine engine = context.context().createSSLEngine("example.com", 1);
        engine.setUseClientMode(true);
        TlsPair pair = new TlsPair(
                new SslHandler(engine), Certificates.server().build().newHandler(), () -> 1000);
        pair.clientHandler.handshake();
        pair.pump();
        assertFalse(pair.clientHandler.handshake().isSuccess());
        assertInstanceOf(
                SSLHandshakeException.class, pair.clientHandler.handshake().getCause());
    }

    @Test
    void shouldTakeAnyServerWithInsecureTrust() throws Exception {
        SslContextBuilder client = SslContextBuilder.forClient().trust(InsecureTrustManagerFactory.INSTANCE);
        new TlsPair(
                        client.build().newHandler("example.com", 1),
                        Certificates.server().build().newHandler(),
                        () -> 1000)
                .established();
    }

    // ---- ALPN ----

    @Test
    void shouldAgreeOnAnApplicationProtocol() throws Exception {
        TlsPair pair = TlsPair.of(
                        Certificates.client().applicationProtocols("http/1.1", "h2"),
                        Certificates.server().applicationProtocols("h2", "http/1.1"),
                        () -> 1000)
                .established();
        assertEquals("h2", pair.serverHandler.getEngine().getApplicationProtocol());
        assertEquals("h2", pair.clientHandler.getEngine().getApplicationProtocol());
        TlsPair none = TlsPair.of(Certificates.client(), Certificates.server().applicationProtocols("h2"), () -> 1000)
                .established();
        assertEquals("", none.clientHandler.getEngine().getApplicationProtocol());
        TlsPair disjoint = TlsPair.of(
                Certificates.client().applicationProtocols("spdy/3"),
                Certificates.server().applicationProtocols("h2"),
                () -> 1000);
        disjoint.pump();
        assertFalse(disjoint.serverHandler.handshake().isSuccess());
        assertFalse(disjoint.client.isOpen());
    }

    // ---- helpers ----

    static ChannelBuffer record(int type, int majorVersion, byte[] fragment) {
        ChannelBuffer record = ChannelBuffers.dynamicBuffer();
        record.writeByte(type);
        record.writeByte(majorVersion);
        record.writeByte(3);
        record.writeShort(fragment.length);
        record.writeBytes(fragment);
        return record;
    }

    private static void assertNothingCaught(TlsPair pair) {
        assertEquals(List.of(), pair.client.takeCaught());
        assertEquals(List.of(), pair.server.takeCaught());
    }

    private static ChannelBuffer randomBytes(Random random, int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return ChannelBuffers.wrappedBuffer(bytes);
    }

    private static ChannelBuffer text(String text) {
        return ChannelBuffers.copiedBuffer(text, US_ASCII);
    }
}
