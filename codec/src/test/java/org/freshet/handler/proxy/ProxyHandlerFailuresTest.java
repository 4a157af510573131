package org.freshet.handler.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("crypto")
class ProxyHandlerFailuresTest extends ProxyConversation {
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
