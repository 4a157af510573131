package org.freshet.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.proxy.HttpProxyHandler;
import org.freshet.handler.proxy.ProxyConnectException;
import org.freshet.handler.proxy.ProxyHandler;
import org.freshet.handler.proxy.Socks4ProxyHandler;
import org.freshet.handler.proxy.Socks5ProxyHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Connections through proxies, over every pair of transports: the proxy follows a script, and echoes after it has
 * opened the tunnel.
 */
class ProxyMatrixTest {
    private static final InetSocketAddress TARGET = InetSocketAddress.createUnresolved("target.invalid", 443);
    private static final String NAME = "target.invalid";

    enum Proxy {
        HTTP(
                HttpProxyHandler::new,
                new String[] {"CONNECT target.invalid:443 HTTP/1.1\r\nHost: target.invalid:443\r\n\r\n"},
                new String[] {"HTTP/1.1 200 OK\r\n\r\n"},
                "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno",
                "the proxy answered 403 Forbidden"),
        HTTP_BASIC(
                proxy -> new HttpProxyHandler(proxy, "me", "pass:word"),
                new String[] {
                    "CONNECT target.invalid:443 HTTP/1.1\r\nProxy-Authorization: Basic bWU6cGFzczp3b3Jk\r\n"
                            + "Host: target.invalid:443\r\n\r\n"
                },
                new String[] {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 299 Fine\r\nContent-Length: 7\r\n\r\n"},
                "HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n",
                "the proxy answered 407 Who are you to the credentials sent"),
        SOCKS_5(
                Socks5ProxyHandler::new,
                new String[] {"\5\1\0", "\5\1\0\3\16" + NAME + "\1\273"},
                new String[] {"\5\0", "\5\0\0\1\177\0\0\1\1\273"},
                "\5\5\0\1\0\0\0\0\0\0",
                "the proxy answered REFUSED"),
        SOCKS_5_PASSWORD(
                proxy -> new Socks5ProxyHandler(proxy, "me", "secret"),
                new String[] {"\5\2\0\2", "\1\2me\6secret", "\5\1\0\3\16" + NAME + "\1\273"},
                new String[] {"\5\2", "\1\0", "\5\0\0\3\3a.b\0\1"},
                "\5\2\0\1\0\0\0\0\0\0",
                "the proxy answered FORBIDDEN"),
        SOCKS_4A(
                proxy -> new Socks4ProxyHandler(proxy, "me"),
                new String[] {"\4\1\1\273\0\0\0\1me\0" + NAME + "\0"},
                new String[] {"\0Z\0\0\0\0\0\0"},
                "\0[\0\0\0\0\0\0",
                "the proxy answered REJECTED");

        final Function<SocketAddress, ProxyHandler> handler;
        final List<String> requests;
        final List<String> answers;

        /** Replaces the last answer. */
        final String refusal;

        final String reason;

        Proxy(
                Function<SocketAddress, ProxyHandler> handler,
                String[] requests,
                String[] answers,
                String refusal,
                String reason) {
            this.handler = handler;
            this.requests = Arrays.asList(requests);
            this.answers = Arrays.asList(answers);
            this.refusal = refusal;
            this.reason = reason;
        }
    }

    static Stream<Arguments> everyPairAndProxy() {
        return Arrays.stream(Pair.values())
                .flatMap(pair -> Arrays.stream(Proxy.values()).map(proxy -> Arguments.of(pair, proxy)));
    }

    /** The proxy's side of one connection. */
    private static final class Script extends Recorder {
        private final Proxy proxy;
        private final boolean refuses;
        private final StringBuilder received = new StringBuilder();
        private int step;

        Script(Proxy proxy, boolean refuses) {
            this.proxy = proxy;
            this.refuses = refuses;
        }

        @Override
        protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (!(e instanceof MessageEvent message)) {
                super.handle(ctx, e);
                return;
            }
            if (step == proxy.requests.size()) {
                ctx.getChannel().write(message.getMessage());
                return;
            }
            received.append(((ChannelBuffer) message.getMessage()).toString(ISO_8859_1));
            String wanted = proxy.requests.get(step);
            if (received.length() < wanted.length()) {
                return;
            }
            boolean last = step == proxy.requests.size() - 1;
            String answer = last && refuses ? proxy.refusal : proxy.answers.get(step);
            if (!received.toString().equals(wanted)) {
                answer = "not as expected: " + received;
            }
            received.setLength(0);
            step++;
            ctx.getChannel().write(copiedBuffer(answer + (last ? "early " : ""), ISO_8859_1));
        }
    }

    /**
     * Writes while the connection to the proxy is being opened, and when the target is connected; records which was
     * which.
     */
    private static final class Client extends Recorder {
        private final AtomicInteger written = new AtomicInteger();
        private volatile Object connectedTo;

        @Override
        protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (e instanceof ChannelStateEvent change && change.getValue() != null) {
                if (change.getState() == ChannelState.BOUND) {
                    write(ctx, "one");
                    write(ctx, "two");
                } else if (change.getState() == ChannelState.CONNECTED) {
                    connectedTo = change.getValue();
                    write(ctx, "three");
                }
            }
            super.handle(ctx, e);
        }

        private void write(ChannelHandlerContext ctx, String text) {
            ctx.getChannel()
                    .write(copiedBuffer(text, ISO_8859_1))
                    .addListener(future -> written.addAndGet(future.isSuccess() ? 1 : -1));
        }
    }

    @ParameterizedTest
    @MethodSource("everyPairAndProxy")
    void shouldBeConnectedWhenTheTunnelIsOpen(Pair pair, Proxy proxy) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> new Script(proxy, false));
            ProxyHandler handler = proxy.handler.apply(server.getLocalAddress());
            Client client = new Client();
            ChannelFuture connected = rig.connecting(TARGET, handler, client);
            Await.success(connected, "the tunnel");
            client.awaitText("early onetwothree");
            assertEquals("early onetwothree", client.text());
            Await.until(() -> client.written.get() == 3, "the writes");
            Channel channel = connected.getChannel();
            assertEquals(List.of("open", "bound", "connected"), client.states());
            assertTrue(client.events().indexOf("connected") < client.events().indexOf("message"));
            assertSame(TARGET, client.connectedTo);
            assertSame(TARGET, handler.getTargetAddress());
            assertEquals(server.getLocalAddress(), channel.getRemoteAddress());
            Await.until(
                    () -> channel.getPipeline().getNames().size() == 1,
                    () -> "the pipeline to contain only the client: " + channel.getPipeline());
            assertTrue(channel.isWritable());
            Await.done(channel.close(), "the close");
            client.awaitClosed();
            assertEquals(List.of("open", "bound", "connected", "disconnected", "unbound", "closed"), client.states());
        }
    }

    @ParameterizedTest
    @MethodSource("everyPairAndProxy")
    void shouldFailWithTheProxysReason(Pair pair, Proxy proxy) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> new Script(proxy, true));
            ProxyHandler handler = proxy.handler.apply(server.getLocalAddress());
            Recorder client = new Recorder();
            ChannelFuture connected = rig.connecting(TARGET, handler, client);
            ChannelFuture written = connected.getChannel().write(copiedBuffer("one", ISO_8859_1));
            Throwable cause = Await.failure(connected, "the tunnel");
            assertEquals(ProxyConnectException.class, cause.getClass(), cause::toString);
            String protocol = proxy.name()
                    .substring(0, proxy.name().charAt(0) == 'H' ? 4 : 7)
                    .replace('_', ' ');
            assertEquals(
                    "cannot connect to target.invalid:443 through the " + protocol + " proxy "
                            + server.getLocalAddress() + ": " + proxy.reason,
                    cause.getMessage());
            assertSame(TARGET, ((ProxyConnectException) cause).getTargetAddress());
            assertEquals(server.getLocalAddress(), ((ProxyConnectException) cause).getProxyAddress());
            Await.failure(written, "the write");
            client.awaitClosed();
            assertEquals(List.of(cause), client.failures());
            assertEquals(List.of("open", "bound", "exception", "unbound", "closed"), client.states());
            assertEquals("", client.text());
        }
    }

    @ParameterizedTest
    @MethodSource("everyPairAndProxy")
    void shouldNameTheProxyThatCannotBeReached(Pair pair, Proxy proxy) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            SocketAddress nobody = server.getLocalAddress();
            Await.success(server.close(), "the server's close");
            Recorder client = new Recorder();
            ChannelFuture connected = rig.connecting(TARGET, proxy.handler.apply(nobody), client);
            Throwable cause = Await.failure(connected, "the tunnel");
            assertEquals(ProxyConnectException.class, cause.getClass(), cause::toString);
            assertTrue(cause.getMessage().contains(nobody.toString()), cause.getMessage());
            assertFalse(cause.getCause() == null, "the refusal is the cause");
            client.awaitClosed();
            assertEquals(List.of(cause), client.failures());
        }
    }

    @ParameterizedTest
    @MethodSource("everyPairAndProxy")
    void shouldFailWithoutAnExceptionEventIfThisSideCloses(Pair pair, Proxy proxy) {
        try (Rig rig = pair.rig()) {
            Recorder silent = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> silent);
            Recorder client = new Recorder();
            ProxyHandler handler = proxy.handler.apply(server.getLocalAddress());
            ChannelFuture connected = rig.connecting(TARGET, handler, client);
            ChannelFuture written = connected.getChannel().write(copiedBuffer("one", ISO_8859_1));
            silent.awaitEvent("message"); // the proxy is being asked
            Await.done(connected.getChannel().close(), "the close");
            Throwable cause = Await.failure(connected, "the tunnel");
            assertEquals(java.nio.channels.ClosedChannelException.class, cause.getClass());
            Await.failure(written, "the write");
            client.awaitClosed();
            assertEquals(List.of(), client.failures());
        }
    }
}
