package org.freshet.handler.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelHandlerLifeCycleException;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.JdkSslContext;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Echo;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.Scarcity;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.ScriptedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection through a proxy whose side the test plays byte by byte. */
@Tag("crypto")
class ProxyHandlerTest {
    private static final InetSocketAddress TARGET = InetSocketAddress.createUnresolved("target.invalid", 443);

    /** The requests of the handlers for {@link #TARGET}, in hexadecimal, and the answers. */
    private static final String INIT = "050100";

    private static final String INIT_ANSWER = "0500";
    private static final String CMD = "050100030e" + hex("target.invalid") + "01bb";
    private static final String CMD_ANSWER = "05000001000000000000";

    private final Recorder client = new Recorder();
    private Rig rig;
    private ScriptedServer proxy;

    @BeforeEach
    void start() throws IOException {
        rig = new Rig(new NioServerSocketChannelFactory(), new NioClientSocketChannelFactory());
        proxy = ScriptedServer.listen();
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        rig.close();
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(ISO_8859_1));
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static void assertSends(ScriptedPeer peer, String hex) throws IOException {
        assertEquals(hex, HexFormat.of().formatHex(peer.read(hex.length() / 2)));
    }

    private ChannelFuture connecting(ChannelHandler... handlers) {
        return rig.connecting(TARGET, handlers);
    }

    private ProxyConnectException failure(ChannelFuture connected) {
        return assertInstanceOf(ProxyConnectException.class, Await.failure(connected, "the tunnel"));
    }

    private static String reason(ProxyConnectException e) {
        return e.getMessage().substring(e.getMessage().indexOf(": ") + 2);
    }

    // ---- the conversation ----

    @Test
    void shouldSendNothingElseBeforeTheAnswer() throws Exception {
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address(), "me", "pw"), client);
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, "05020002");
            assertFalse(connected.isDone());
            peer.sendByteByByte(bytes("0502"));
            assertSends(peer, "01026d65027077");
            peer.sendByteByByte(bytes("0100"));
            assertSends(peer, CMD);
            assertFalse(connected.isDone());
            assertEquals(List.of("open", "bound"), client.states());
            peer.sendByteByByte(bytes(CMD_ANSWER));
            Await.success(connected, "the tunnel");
            peer.send("early");
            client.awaitText("early");
        }
    }

    @Test
    void shouldNotAuthenticateUnlessTheProxyAsksForIt() throws Exception {
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address(), "me", "pw"), client);
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, "05020002");
            peer.send(bytes(INIT_ANSWER));
            assertSends(peer, CMD);
            peer.send(bytes(CMD_ANSWER));
            Await.success(connected, "the tunnel");
        }
    }

    @Test
    void shouldReadAnHttpAnswerByteByByteAndTheTargetsBytesAfterIt() throws Exception {
        HttpHeaders headers = new DefaultHttpHeaders();
        headers.add("User-Agent", "test");
        headers.add("Host", "elsewhere");
        ChannelFuture connected = connecting(new HttpProxyHandler(proxy.address(), headers), client);
        try (ScriptedPeer peer = proxy.accept()) {
            assertEquals("CONNECT target.invalid:443 HTTP/1.1", peer.readLine());
            assertEquals("User-Agent: test", peer.readLine());
            assertEquals("Host: target.invalid:443", peer.readLine());
            assertEquals("", peer.readLine());
            peer.sendByteByByte("HTTP/1.1 102 Wait\r\n\r\nHTTP/1.1 200 \r\nVia: x\r\n\r\n".getBytes(ISO_8859_1));
            Await.success(connected, "the tunnel");
            peer.send("HTTP/1.1 is no longer spoken");
            client.awaitText("HTTP/1.1 is no longer spoken");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 05010001c000020101bb, 040101bbc000020100, 192.0.2.1:443",
        "2001:db8::1, 0501000420010db800000000000000000000000101bb, , [2001:db8:0:0:0:0:0:1]:443",
    })
    void shouldSendTheAddressOfAResolvedTargetAndOfALiteral(
            String address, String socks5, String socks4, String authority) throws Exception {
        InetAddress resolved = InetAddress.getByAddress(
                "localhost", InetAddress.getByName(address).getAddress());
        for (InetSocketAddress target : new InetSocketAddress[] {
            new InetSocketAddress(resolved, 443), InetSocketAddress.createUnresolved(address, 443)
        }) {
            assertAsked(new Socks5ProxyHandler(proxy.address()), target, INIT, INIT_ANSWER, socks5);
            assertAsked(
                    new HttpProxyHandler(proxy.address()),
                    target,
                    "",
                    "",
                    hex("CONNECT " + authority + " HTTP/1.1\r\n"));
            if (socks4 != null) {
                assertAsked(new Socks4ProxyHandler(proxy.address()), target, "", "", socks4);
            } else {
                ChannelFuture refused = rig.connecting(target, new Socks4ProxyHandler(proxy.address()), new Recorder());
                assertEquals("SOCKS 4 does not support IPv6 addresses; use SOCKS 5", reasonOf(refused));
            }
        }
    }

    /** The address in the message contains colons, too. */
    private String reasonOf(ChannelFuture failed) {
        String message = failure(failed).getMessage();
        return message.substring(message.lastIndexOf(": ") + 2);
    }

    private void assertAsked(
            ProxyHandler handler, InetSocketAddress target, String first, String answer, String request)
            throws IOException {
        Recorder recorder = new Recorder();
        ChannelFuture connected = rig.connecting(target, handler, recorder);
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, first);
            peer.send(bytes(answer));
            assertSends(peer, request);
        }
        failure(connected);
        recorder.awaitClosed();
    }

    @Test
    void shouldSendANameInDnsForm() throws Exception {
        InetSocketAddress target = InetSocketAddress.createUnresolved("b\u00fccher.example", 80);
        assertAsked(
                new HttpProxyHandler(proxy.address()),
                target,
                "",
                "",
                hex("CONNECT xn--bcher-kva.example:80 HTTP/1.1"));
    }

    // ---- failures ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "04 | malformed answer (UnknownSocksResponse)",
                "05ff | the proxy accepts none of the offered ways to authenticate: [NO_AUTH]",
                "0502 | the proxy accepts none of the offered ways to authenticate: [NO_AUTH],"
                        + " but wants AUTH_PASSWORD",
                INIT_ANSWER + "0505000100000000 0000 | the proxy answered REFUSED",
                INIT_ANSWER + "0550000100000000 0000 | the proxy answered UNASSIGNED",
                INIT_ANSWER + "05000007 | malformed answer (UnknownSocksResponse)",
                INIT_ANSWER + "05000003036100620050 | malformed SOCKS message: host is not a name: 'a?b'",
            })
    void shouldReportWhatIsWrongWithAnAnswer(String answer, String reason) throws Exception {
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address()), client);
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, INIT);
            peer.send(bytes(answer.replace(" ", "")));
            ProxyConnectException failure = failure(connected);
            assertEquals(reason, reason(failure));
            client.awaitClosed();
            assertEquals(List.of(failure), client.failures());
        }
    }

    @Test
    void shouldReportRefusedCredentials() throws Exception {
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address(), "me", "pw"), client);
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, "05020002");
            peer.send(bytes("0502"));
            assertSends(peer, "01026d65027077");
            peer.send(bytes("0101"));
            ProxyConnectException failure = failure(connected);
            assertEquals("the proxy rejected the user name and password", reason(failure));
            assertFalse(failure.getMessage().contains("pw"), failure.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 407 Authenticate, the proxy answered 407 Authenticate; pass a user name and a password to the handler",
        "HTTP/1.1 302 Found, the proxy answered 302 Found",
        "HTTP/1.1 502 Connection reset by peer, the proxy answered 502 Connection reset by peer",
        "HTTP/1.1 101 Switching Protocols, a 101 to a request without Upgrade",
    })
    void shouldFailOnAnyFinalHttpAnswerButSuccess(String line, String reason) throws Exception {
        ChannelFuture connected = connecting(new HttpProxyHandler(proxy.address()), client);
        try (ScriptedPeer peer = proxy.accept()) {
            peer.send(line + "\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nmore");
            assertEquals(reason, reason(failure(connected)));
            client.awaitClosed();
            assertEquals("", client.text());
        }
    }

    @Test
    void shouldFailWritesBetweenTheRefusalAndTheClose() throws Exception {
        CompletableFuture<ChannelFuture> written = new CompletableFuture<>();
        Recorder writesOnFailure = new Recorder() {
            @Override
            protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                if (e instanceof ExceptionEvent) {
                    written.complete(ctx.getChannel().write(copiedBuffer("for the target", ISO_8859_1)));
                }
                super.handle(ctx, e);
            }
        };
        // Closed explicitly, not by the bootstrap, which closes the channel as soon as its future fails.
        ChannelPipeline pipeline = Channels.pipeline(new HttpProxyHandler(proxy.address()), writesOnFailure);
        ChannelFuture connected = rig.client().getFactory().newChannel(pipeline).connect(TARGET);
        try (ScriptedPeer peer = proxy.accept()) {
            peer.send("HTTP/1.1 403 Forbidden\r\n\r\n");
            ProxyConnectException failure = failure(connected);
            assertEquals(failure, Await.failure(written.get(10, TimeUnit.SECONDS), "the write"));
            String sent = new String(peer.readToEnd(), ISO_8859_1);
            assertTrue(sent.startsWith("CONNECT ") && !sent.contains("for the target"), sent);
        }
        writesOnFailure.awaitClosed();
    }

    /** It refuses and resets before it is asked, so the question can't be sent. */
    @ParameterizedTest
    @EnumSource
    void shouldReadARefusalAfterItCouldNotAsk(SocketTransport transport) throws Exception {
        assertEquals(
                "the proxy answered 403 Forbidden",
                reason(failureAfterReset(transport, "HTTP/1.1 403 Forbidden\r\n\r\n")));
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotBelieveAProxyThatCouldNotBeAsked(SocketTransport transport) throws Exception {
        ProxyConnectException failure = failureAfterReset(transport, "HTTP/1.1 200 OK\r\n\r\n");
        assertInstanceOf(IOException.class, failure.getCause());
    }

    /** It resets without an answer. */
    @ParameterizedTest
    @EnumSource
    void shouldTellWhyItCouldNotAsk(SocketTransport transport) throws Exception {
        ProxyConnectException failure = failureAfterReset(transport, "");
        assertInstanceOf(IOException.class, failure.getCause());
    }

    private ProxyConnectException failureAfterReset(SocketTransport transport, String answer) throws Exception {
        CountDownLatch isConnected = new CountDownLatch(1);
        CountDownLatch reset = new CountDownLatch(1);
        SimpleChannelUpstreamHandler gate = new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                isConnected.countDown();
                Await.latch(reset, "the reset");
                ctx.sendUpstream(e);
            }
        };
        try (Rig clients = transport.newRig()) {
            ChannelFuture connected = clients.connecting(TARGET, gate, new HttpProxyHandler(proxy.address()), client);
            ScriptedPeer peer = proxy.accept();
            Await.latch(isConnected, "the connection");
            peer.send(answer);
            peer.reset();
            reset.countDown();
            ProxyConnectException failure = failure(connected);
            client.awaitClosed();
            assertEquals(List.of(failure), client.failures());
            return failure;
        }
    }

    @Test
    void shouldFailOnAnAnswerThatIsNotHttp() throws Exception {
        ChannelFuture connected = connecting(new HttpProxyHandler(proxy.address()), client);
        try (ScriptedPeer peer = proxy.accept()) {
            peer.send("220 mail.example ready\r\n\r\n");
            ProxyConnectException failure = failure(connected);
            assertTrue(failure.getCause() != null, failure::toString);
            client.awaitClosed();
            assertEquals(List.of(failure), client.failures());
        }
    }

    @Test
    void shouldReportThatTheProxyClosed() throws Exception {
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address()), client);
        ChannelFuture written = connected.getChannel().write(copiedBuffer("x", ISO_8859_1));
        ScriptedPeer peer = proxy.accept();
        assertSends(peer, INIT);
        peer.send(bytes(INIT_ANSWER));
        assertSends(peer, CMD);
        peer.close();
        ProxyConnectException failure = failure(connected);
        assertEquals("the proxy closed the connection", reason(failure));
        assertEquals(failure, Await.failure(written, "the write"));
        client.awaitClosed();
        assertEquals(List.of("open", "bound", "exception", "unbound", "closed"), client.states());
    }

    @Test
    void shouldFailIfTheProxyEndsItsOutputOnAChannelThatMayBeHalfClosed() throws Exception {
        rig.client().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address()), client);
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, INIT);
            peer.endOutput();
            assertEquals("the proxy closed the connection", reason(failure(connected)));
            peer.awaitEnd();
        }
    }

    /** The request waits with the writes, and is sent after them. */
    @Test
    void shouldEndTheOutputWhenTheTunnelIsOpen() throws Exception {
        rig.client().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address()), client);
        connected.getChannel().write(copiedBuffer("all", ISO_8859_1));
        Channels.shutdownOutput(connected.getChannel());
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, INIT);
            peer.send(bytes(INIT_ANSWER));
            assertSends(peer, CMD);
            peer.send(bytes(CMD_ANSWER));
            assertEquals("all", new String(peer.readToEnd(), ISO_8859_1));
            peer.send("answer");
            client.awaitText("answer");
        }
    }

    @Test
    void shouldReportThatTheProxyReset() throws Exception {
        ChannelFuture connected = connecting(new Socks4ProxyHandler(proxy.address()), client);
        try (ScriptedPeer peer = proxy.accept()) {
            peer.read(9);
            peer.reset();
            ProxyConnectException failure = failure(connected);
            client.awaitClosed();
            assertEquals(List.of(failure), client.failures());
        }
    }

    @Test
    void shouldFailIfTheTunnelTakesTooLong() throws Exception {
        ProxyHandler handler = new HttpProxyHandler(proxy.address());
        handler.setConnectTimeout(Duration.ofMillis(50));
        ChannelFuture connected = connecting(handler, client);
        try (ScriptedPeer peer = proxy.accept()) {
            ProxyConnectException failure = failure(connected);
            assertEquals("no tunnel within 50 ms", reason(failure));
            assertInstanceOf(ConnectTimeoutException.class, failure.getCause());
            peer.readToEnd();
            client.awaitClosed();
            assertEquals(List.of(failure), client.failures());
        }
    }

    @Test
    void shouldFailIfTheApplicationsFutureIsCancelled() throws Exception {
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address()), client);
        ChannelFuture written = connected.getChannel().write(copiedBuffer("x", ISO_8859_1));
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, INIT);
            assertTrue(connected.cancel());
            peer.awaitEnd();
            client.awaitClosed();
            assertInstanceOf(ClosedChannelException.class, Await.failure(written, "the write"));
            assertEquals(List.of(), client.failures());
        }
    }

    @Test
    void shouldRefuseTargetsThatAProxyCannotBeTold() {
        for (Function<SocketAddress, ProxyHandler> protocol : List.<Function<SocketAddress, ProxyHandler>>of(
                HttpProxyHandler::new, Socks4ProxyHandler::new, Socks5ProxyHandler::new)) {
            for (String name : new String[] {"a b", "a\r\nHost: b", "a:1", "user@a", "a/", "a\0b", "a?", "[a]", ""}) {
                SocketAddress target = InetSocketAddress.createUnresolved(name, 80);
                Recorder recorder = new Recorder();
                ProxyConnectException failure =
                        failure(rig.connecting(target, protocol.apply(proxy.address()), recorder));
                assertInstanceOf(IllegalArgumentException.class, failure.getCause());
                recorder.awaitClosed();
            }
            ProxyConnectException noPort = failure(rig.connecting(
                    InetSocketAddress.createUnresolved("a", 0), protocol.apply(proxy.address()), new Recorder()));
            assertEquals("the target's port is 0", reason(noPort).substring(0, 22));
        }
    }

    @Test
    void shouldRefuseHeadersAndCredentialsThatWouldEndALine() {
        HttpHeaders unchecked = new DefaultHttpHeaders(false);
        unchecked.add("X-Evil", "a\r\nProxy-Authorization: Basic AAAA");
        SocketAddress address = proxy.address();
        assertThrows(IllegalArgumentException.class, () -> new HttpProxyHandler(address, unchecked));
        assertThrows(IllegalArgumentException.class, () -> new HttpProxyHandler(address, "a:b", "c"));
        assertThrows(IllegalArgumentException.class, () -> new HttpProxyHandler(address, "a", "b\n"));
        assertThrows(IllegalArgumentException.class, () -> new Socks4ProxyHandler(address, "a\0"));
        assertThrows(IllegalArgumentException.class, () -> new Socks5ProxyHandler(address, "a".repeat(256), ""));
    }

    // ---- requests while the tunnel is being opened ----

    /** Reads the SOCKS 4 request and waits until the channel's account shows that it has been sent. */
    private static void takeRequest(ScriptedPeer peer, Channel channel) throws Exception {
        peer.read(8 + 1 + TARGET.getHostString().length() + 1);
        Await.until(() -> WriteAccount.waitingBytes(channel) == 0, "the request to the proxy to be sent");
    }

    @Test
    void shouldNotBeWritableWhileMuchIsQueued() throws Exception {
        ChannelFuture connected = connecting(new Socks4ProxyHandler(proxy.address()), client);
        Channel channel = connected.getChannel();
        try (ScriptedPeer peer = proxy.accept()) {
            takeRequest(peer, channel);
            channel.write(wrappedBuffer(new byte[64 * 1024 - WriteAccount.MESSAGE_BYTES]));
            assertTrue(channel.isWritable());
            channel.write(wrappedBuffer(new byte[WriteAccount.MESSAGE_BYTES + 1]));
            assertFalse(channel.isWritable());
            peer.send(bytes("005a000000000000"));
            Await.success(connected, "the tunnel");
            peer.read(64 * 1024 + 1);
            Await.until(channel::isWritable, "a writable channel");
        }
    }

    @Test
    void shouldCountQueuedWritesUntilTheyAreSent() throws Exception {
        ChannelFuture connected = connecting(new Socks4ProxyHandler(proxy.address()), client);
        Channel channel = connected.getChannel();
        try (ScriptedPeer peer = proxy.accept()) {
            takeRequest(peer, channel);
            channel.write(wrappedBuffer(new byte[1000]));
            assertEquals(WriteAccount.costOf(1000), WriteAccount.waitingBytes(channel));
            peer.send(bytes("005a000000000000"));
            Await.success(connected, "the tunnel");
            peer.read(1000);
            Await.until(() -> WriteAccount.waitingBytes(channel) == 0, "the empty account");
        }
    }

    @Test
    void shouldApplyTheLimitOfTheChannelToQueuedWrites() throws Exception {
        rig.client().setOption(ChannelOption.WRITE_BUFFER_LIMIT, 100_000);
        rig.client().setOption(ChannelOption.WRITE_OVERFLOW, WriteOverflow.FAIL);
        ChannelFuture connected = connecting(new Socks4ProxyHandler(proxy.address()), client);
        Channel channel = connected.getChannel();
        try (ScriptedPeer peer = proxy.accept()) {
            takeRequest(peer, channel);
            channel.write(wrappedBuffer(new byte[90_000]));
            ChannelFuture beyond = channel.write(wrappedBuffer(new byte[20_000]));
            assertInstanceOf(WriteOverflowException.class, beyond.getCause());
            ChannelFuture fitting = channel.write(wrappedBuffer(new byte[] {1}));
            assertEquals(WriteAccount.costOf(90_000) + WriteAccount.costOf(1), WriteAccount.waitingBytes(channel));
            peer.send(bytes("005a000000000000"));
            assertEquals(1, peer.read(90_001)[90_000]);
            Await.success(fitting, "the last write");
        }
    }

    @Test
    void shouldCloseWhenTooMuchIsQueuedByDefault() throws Exception {
        rig.client().setOption(ChannelOption.WRITE_BUFFER_LIMIT, 100_000);
        Socks4ProxyHandler handler = new Socks4ProxyHandler(proxy.address());
        ChannelFuture connected = connecting(handler, client);
        Channel channel = connected.getChannel();
        ChannelFuture waiting = channel.write(wrappedBuffer(new byte[90_000]));
        ChannelFuture beyond = channel.write(wrappedBuffer(new byte[20_000]));
        Await.failure(beyond, "the write beyond the limit");
        Await.failure(waiting, "the queued write");
        Await.failure(connected, "the tunnel");
        Await.success(channel.getCloseFuture(), "the close");
        assertEquals(CloseReason.Kind.OVERFLOW, channel.getCloseReason().kind());
        assertEquals(0, handler.heldBytes(channel));
    }

    @Test
    void shouldReadTheAnswerEvenIfReadingIsSuspended() throws Exception {
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address()), client);
        Channel channel = connected.getChannel();
        ChannelFuture suspended = channel.setReadable(false);
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, INIT);
            peer.send(bytes(INIT_ANSWER));
            assertSends(peer, CMD);
            peer.send(bytes(CMD_ANSWER));
            Await.success(connected, "the tunnel");
            Await.success(suspended, "the suspension");
            peer.send("held");
            assertFalse(channel.isReadable());
            channel.setReadable(true);
            client.awaitText("held");
        }
    }

    @Test
    void shouldSendTheWritesOfSeveralThreadsInTheirOrder() throws Exception {
        ChannelFuture connected = connecting(new Socks4ProxyHandler(proxy.address()), client);
        Channel channel = connected.getChannel();
        int each = 2000;
        try (ScriptedPeer peer = proxy.accept()) {
            peer.read(8 + 1 + TARGET.getHostString().length() + 1);
            Thread[] writers = new Thread[2];
            CountDownLatch half = new CountDownLatch(2);
            for (int i = 0; i < writers.length; i++) {
                int who = i;
                writers[i] = new Thread(() -> {
                    for (int n = 0; n < each; n++) {
                        if (n == each / 2) {
                            half.countDown();
                        }
                        channel.write(wrappedBuffer(new byte[] {(byte) who, (byte) (n >> 8), (byte) n}));
                    }
                });
                writers[i].start();
            }
            Await.latch(half, "half of the writes"); // the others are made while the tunnel opens
            peer.send(bytes("005a000000000000"));
            int[] next = new int[2];
            byte[] received = peer.read(each * writers.length * 3);
            for (int at = 0; at < received.length; at += 3) {
                int n = (received[at + 1] & 0xff) << 8 | received[at + 2] & 0xff;
                assertEquals(next[received[at]]++, n, "of thread " + received[at]);
            }
            for (Thread writer : writers) {
                Await.end(writer);
            }
        }
    }

    @Test
    void shouldLetAHandlerAwaitItsWriteWhenItIsConnected() throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Recorder awaiting = new Recorder() {
            @Override
            protected void handle(ChannelHandlerContext ctx, ChannelEvent e) {
                if (e instanceof ChannelStateEvent change
                        && change.getState() == ChannelState.CONNECTED
                        && change.getValue() != null) {
                    try {
                        Await.success(ctx.getChannel().write(copiedBuffer("awaited", ISO_8859_1)), "the write");
                    } catch (Throwable t) {
                        failure.set(t);
                    }
                }
            }
        };
        ChannelFuture connected = connecting(new Socks4ProxyHandler(proxy.address()), awaiting);
        connected.getChannel().write(copiedBuffer("before ", ISO_8859_1));
        try (ScriptedPeer peer = proxy.accept()) {
            peer.read(8 + 1 + TARGET.getHostString().length() + 1);
            peer.send(bytes("005a000000000000"));
            assertEquals("before awaited", peer.readText(14));
            assertNull(failure.get());
        }
    }

    @Test
    void shouldRefuseASecondConnect() throws Exception {
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address()), client);
        ChannelFuture second = connected.getChannel().connect(TARGET);
        assertInstanceOf(ConnectionPendingException.class, Await.failure(second, "the second connect"));
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, INIT);
            peer.send(bytes(INIT_ANSWER));
            assertSends(peer, CMD);
            peer.send(bytes(CMD_ANSWER));
            Await.success(connected, "the tunnel");
        }
    }

    @Test
    void shouldConnectOneChannelOnly() throws Exception {
        ProxyHandler handler = new Socks4ProxyHandler(proxy.address());
        ChannelFuture connected = connecting(handler, client);
        try (ScriptedPeer peer = proxy.accept()) {
            peer.read(8 + 1 + TARGET.getHostString().length() + 1);
            peer.send(bytes("005a000000000000"));
            Await.success(connected, "the tunnel");
            Await.until(
                    () -> connected.getChannel().getPipeline().get(Socks4ProxyHandler.class) == null, "its removal");
        }
        assertThrows(ChannelHandlerLifeCycleException.class, () -> Channels.pipeline(handler));
    }

    @Test
    void shouldFailIfItIsRemovedTooEarly() throws Exception {
        ProxyHandler handler = new Socks5ProxyHandler(proxy.address());
        ChannelFuture connected = connecting(handler, client);
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, INIT);
            connected.getChannel().getPipeline().remove(handler);
            assertEquals("the handler was removed from the pipeline", reason(failure(connected)));
            peer.awaitEnd();
        }
    }

    // ---- without memory ----

    /** Everything completes, whichever step of the opening meets the error. */
    @Test
    void shouldCompleteEverythingIfMemoryRunsOutWhileTheTunnelOpens() {
        boolean wasReached = true;
        for (int step = 0; wasReached; step++) {
            Scarcity scarcity = Scarcity.later(step);
            Socks4ProxyHandler handler = new Socks4ProxyHandler(proxy.address());
            handler.setConnectTimeout(Duration.ZERO);
            MemoryChannel channel = MemoryChannel.open(scarcity.sparedTransport(), handler, new Recorder());
            ChannelFuture connected = scarce(channel, scarcity);
            channel.getPipeline()
                    .sendDownstream(
                            new DownstreamChannelStateEvent(channel, connected, ChannelState.CONNECTED, TARGET));
            MessageEvent first = scarcity.write(channel, wrappedBuffer(new byte[1000]));
            channel.getPipeline().sendDownstream(first);
            ChannelFuture second = channel.write(wrappedBuffer(new byte[1000]));
            scarcity.begin();
            Scarcity.survive(() -> channel.receive(wrappedBuffer(bytes("005a000000000000"))));
            scarcity.end();
            wasReached = scarcity.wasReached();

            assertTrue(connected.isDone(), "the connect");
            assertTrue(first.getFuture().isDone() && second.isDone(), "the writes");
            assertEquals(0, WriteAccount.waitingBytes(channel));
            assertTrue(connected.isSuccess() || !channel.isOpen(), "nothing stays half open");
        }
    }

    /** A future whose completion meets the error, before it has any effect. */
    private static ChannelFuture scarce(Channel channel, Scarcity scarcity) {
        return new DefaultChannelFuture(channel, true) {
            @Override
            public boolean setSuccess() {
                scarcity.step();
                return super.setSuccess();
            }
        };
    }

    // ---- TLS through the tunnel ----

    /** Relays to the TLS server, which is the target behind the proxy. */
    private void relay(ScriptedPeer peer, SocketAddress target) throws IOException {
        try (ScriptedPeer back = ScriptedPeer.connect(target)) {
            Thread upward = new Thread(() -> {
                try {
                    peer.socket().getInputStream().transferTo(back.socket().getOutputStream());
                    back.endOutput();
                } catch (IOException e) {
                    // the test checks the client
                }
            });
            upward.start();
            try {
                back.socket().getInputStream().transferTo(peer.socket().getOutputStream());
                peer.endOutput();
            } finally {
                Await.end(upward);
            }
        }
    }

    @Test
    void shouldVerifyTheTargetThroughTheTunnel() throws Exception {
        for (boolean later : new boolean[] {false, true}) {
            assertNull(tlsThroughTheTunnel("target.invalid", later));
            assertInstanceOf(SSLHandshakeException.class, tlsThroughTheTunnel("other.invalid", later));
            assertInstanceOf(SSLHandshakeException.class, tlsThroughTheTunnel("localhost", later));
        }
    }

    /** The Netty 3 way: the handler is added after the tunnel is open, and has not seen the address of the connect. */
    private static ChannelHandler tlsAddedLater(SslHandler tls) {
        return new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                ctx.getPipeline().addBefore(ctx.getName(), "tls", tls);
                ctx.sendUpstream(e);
            }
        };
    }

    private static SslHandler namelessTls(SslContext clients) {
        SSLEngine engine = ((JdkSslContext) clients).context().createSSLEngine();
        engine.setUseClientMode(true);
        SslHandler handler = new SslHandler(engine);
        handler.setIssueHandshake(true);
        return handler;
    }

    /** Returns the handshake's failure; null if it succeeded and an echo was received. */
    private Throwable tlsThroughTheTunnel(String certified, boolean later) throws Exception {
        SelfSignedCertificate certificate = Certificates.named(certified);
        SslContext servers = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .build();
        SslContext clients =
                SslContextBuilder.forClient().trust(certificate.cert()).build();
        try (Rig target = new Rig(new NioServerSocketChannelFactory(), new NioClientSocketChannelFactory())) {
            target.server().setPipelineFactory(() -> Channels.pipeline(servers.newHandler(), new Echo()));
            Channel server = target.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SslHandler tls = later ? namelessTls(clients) : clients.newHandler();
            Recorder recorder = new Recorder();
            ChannelHandler second = later ? tlsAddedLater(tls) : tls;
            ChannelFuture connected = connecting(new Socks4ProxyHandler(proxy.address()), second, recorder);
            if (!later) { // otherwise it would be sent in plaintext
                connected.getChannel().write(copiedBuffer("secret", ISO_8859_1));
            }
            try (ScriptedPeer peer = proxy.accept()) {
                peer.read(8 + 1 + TARGET.getHostString().length() + 1);
                peer.send(bytes("005a000000000000"));
                Thread relaying = new Thread(() -> {
                    try {
                        relay(peer, server.getLocalAddress());
                    } catch (IOException e) {
                        // the test checks the client
                    }
                });
                relaying.start();
                Await.success(connected, "the tunnel");
                if (later) {
                    Await.until(() -> recorder.states().contains("connected"), "the TLS handler to be added");
                    connected.getChannel().write(copiedBuffer("secret", ISO_8859_1));
                }
                Throwable failure = Await.done(tls.handshake(), "the handshake").getCause();
                if (failure == null) {
                    recorder.awaitText("secret");
                    assertEquals("secret", recorder.text());
                }
                connected.getChannel().close();
                recorder.awaitClosed();
                Await.end(relaying);
                return failure;
            }
        }
    }

    // ---- the log ----

    /** Even if no handler handles it; if the future reports it, nothing is logged. */
    @ParameterizedTest
    @ValueSource(strings = {"", "behind", "before"})
    void shouldWarnAboutARefusalAtMostOnce(String tls) throws Exception {
        SimpleChannelUpstreamHandler careless = new SimpleChannelUpstreamHandler();
        SslHandler ssl = SslContextBuilder.forClient().build().newHandler();
        ProxyHandler handler = new HttpProxyHandler(proxy.address());
        ChannelHandler[] handlers = switch (tls) {
            case "behind" -> new ChannelHandler[] {handler, ssl, careless};
            case "before" -> new ChannelHandler[] {ssl, handler, careless};
            default -> new ChannelHandler[] {handler, careless};
        };
        try (CapturedLog log = CapturedLog.start()) {
            ChannelFuture connected = connecting(handlers);
            ChannelFuture closed = connected.getChannel().getCloseFuture();
            try (ScriptedPeer peer = proxy.accept()) {
                peer.read(1);
                peer.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
                failure(connected);
                Await.success(closed, "the close");
            }
            rig.close();
            int warnings = log.messages(InternalLogLevel.WARN).size();
            assertTrue(warnings <= 1, () -> "messages: " + log.messages());
        }
    }
}
