package org.freshet.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.channel.NameResolver;
import org.freshet.channel.socket.SocketChannelConfig;
import org.freshet.handler.proxy.HttpProxyHandler;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Connects by a name that is not resolved yet: the lookup, the race between addresses, and everything that may end
 * them.
 */
class NamedConnectMatrixTest {
    /** The number of lookups that run at the same time in the whole process. */
    private static final int MOST_LOOKUPS = 8;

    private static final String HOST = "host.example";

    /** A listener that accepts nothing and whose backlog is full, so that further attempts get no answer. */
    private static final class DeadAddress implements AutoCloseable {
        private final ServerSocket listener;
        private final List<Socket> waiting = new ArrayList<>();

        DeadAddress(String address, int port) throws IOException {
            listener = new ServerSocket(port, 1, InetAddress.getByName(address));
            boolean isFull = false;
            while (!isFull) {
                Socket socket = new Socket();
                waiting.add(socket);
                try {
                    socket.connect(listener.getLocalSocketAddress(), 200);
                } catch (SocketTimeoutException e) {
                    isFull = true;
                }
            }
        }

        int port() {
            return listener.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : waiting) {
                socket.close();
            }
            listener.close();
        }
    }

    private static List<InetAddress> addresses(String... texts) throws UnknownHostException {
        List<InetAddress> addresses = new ArrayList<>();
        for (String text : texts) {
            addresses.add(InetAddress.getByName(text));
        }
        return addresses;
    }

    private static int portOf(Channel server) {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    private static ChannelFuture connecting(Rig rig, int port, NameResolver resolver, ChannelHandler handler) {
        rig.client().setOption(ChannelOption.NAME_RESOLVER, resolver);
        return rig.connecting(InetSocketAddress.createUnresolved(HOST, port), handler);
    }

    /** Listens on 127.0.0.1 only. */
    private static Channel listen(Rig rig) throws UnknownHostException {
        return rig.listen(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), Recorder::new);
    }

    // ---- lookups ----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(
            names = {"UNIX", "LOCAL"},
            mode = Mode.EXCLUDE)
    void shouldKeepTheNameAndFireTheEventsOfAnyConnect(Pair pair) throws Exception {
        try (Rig rig = pair.rig()) {
            Channel server = listen(rig);
            BlockingQueue<String> asked = new LinkedBlockingQueue<>();
            Recorder client = new Recorder();
            ChannelFuture connecting = connecting(
                    rig,
                    portOf(server),
                    host -> {
                        asked.add(host);
                        return List.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
                    },
                    client);
            Channel channel = Await.success(connecting, "the connection").getChannel();
            assertEquals(List.of(HOST), List.copyOf(asked));
            InetSocketAddress remote = (InetSocketAddress) channel.getRemoteAddress();
            assertEquals(HOST, remote.getHostString());
            assertEquals(portOf(server), remote.getPort());
            assertInstanceOf(Inet4Address.class, remote.getAddress());
            client.awaitEvent("connected");
        }
    }

    /** Blocks until another client has connected and talked. */
    @ParameterizedTest
    @EnumSource(
            names = {"UNIX", "LOCAL"},
            mode = Mode.EXCLUDE)
    void shouldNotBlockALoopWhileAResolverBlocks(Pair pair) throws Exception {
        CountDownLatch isReleased = new CountDownLatch(1);
        BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
        try (Rig rig = pair.rig()) {
            Channel server = listen(rig);
            NameResolver blocks = host -> {
                threads.add(Thread.currentThread());
                Await.latch(isReleased, "the end of a lookup");
                return addresses("127.0.0.1");
            };
            List<ChannelFuture> waiting = new ArrayList<>();
            for (int i = 0; i < 12; i++) { // more than there are threads and loops
                waiting.add(connecting(rig, portOf(server), blocks, new Recorder()));
            }
            assertTrue(threads.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).isDaemon());
            for (int i = 0; i < 12; i++) {
                rig.connect(server.getLocalAddress()).close();
            }
            assertTrue(waiting.stream().noneMatch(ChannelFuture::isDone));
            isReleased.countDown();
            waiting.forEach(connecting -> Await.success(connecting, "a connection after a slow lookup"));
            assertTrue(threads.size() < 12);
        } finally {
            isReleased.countDown();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldReportThatANameHasNoAddress(Pair pair) {
        try (Rig rig = pair.rig()) {
            for (NameResolver none : List.<NameResolver>of(host -> List.of(), host -> null, host -> {
                throw new UnknownHostException(host);
            })) {
                Recorder client = new Recorder();
                ChannelFuture connecting = connecting(rig, 80, none, client);
                Throwable cause = Await.failure(connecting, "a connect to nowhere");
                assertEquals("unresolved address: " + HOST + ":80", cause.getMessage());
                boolean isOfNio = pair == Pair.NIO_NIO;
                assertEquals(isOfNio, cause instanceof UnresolvedAddressException, cause::toString);
                assertEquals(!isOfNio, cause instanceof UnknownHostException, cause::toString);
                assertInstanceOf(UnknownHostException.class, cause.getCause());
                assertFalse(cause.toString().contains("internal"), cause::toString);
                Await.done(connecting.getChannel().getCloseFuture(), "the close");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldFailWithTheExceptionOfAResolver(Pair pair) {
        try (Rig rig = pair.rig()) {
            for (Throwable thrown : List.of(new IllegalStateException("a fault"), new AssertionError("an error"))) {
                ChannelFuture connecting =
                        connecting(rig, 80, host -> NamedConnectMatrixTest.thrown(thrown), new Recorder());
                Throwable cause = Await.failure(connecting, "a connect");
                assertEquals(thrown, thrown instanceof Error ? cause.getCause() : cause);
                Await.done(connecting.getChannel().getCloseFuture(), "the close");
            }
        }
    }

    private static List<InetAddress> thrown(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }

    /** The lookup is interrupted, and no channel waits for it. */
    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldApplyTheConnectTimeoutToALookup(Pair pair) throws Exception {
        BlockingQueue<String> interrupted = new LinkedBlockingQueue<>();
        try (Rig rig = pair.rig()) {
            rig.client().setOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 50);
            ChannelFuture connecting = connecting(rig, 80, host -> blocked(interrupted), new Recorder());
            Throwable cause = Await.failure(connecting, "a connect");
            assertInstanceOf(ConnectTimeoutException.class, cause);
            assertEquals("the name was not looked up within 50 ms: " + HOST, cause.getMessage());
            assertEquals("interrupted", interrupted.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            Await.done(connecting.getChannel().getCloseFuture(), "the close");
        }
    }

    private static List<InetAddress> blocked(BlockingQueue<String> interrupted) throws UnknownHostException {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            interrupted.add("interrupted");
        }
        throw new UnknownHostException("interrupted");
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldEndALookupOnCloseCancelOrReleaseOfTheFactory(Pair pair) throws Exception {
        for (int way = 0; way < 3; way++) {
            BlockingQueue<String> interrupted = new LinkedBlockingQueue<>();
            CountDownLatch isAsked = new CountDownLatch(1);
            try (Rig rig = pair.rig()) {
                ChannelFuture connecting = connecting(
                        rig,
                        80,
                        host -> {
                            isAsked.countDown();
                            return blocked(interrupted);
                        },
                        new Recorder());
                Await.latch(isAsked, "the lookup");
                end(way, rig, connecting);
                assertEquals("interrupted", interrupted.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "way " + way);
            }
        }
    }

    private static void end(int way, Rig rig, ChannelFuture connecting) {
        Channel channel = connecting.getChannel();
        switch (way) {
            case 0 -> channel.close();
            case 1 -> assertTrue(connecting.cancel());
            default -> rig.client().releaseExternalResources();
        }
        Await.done(channel.getCloseFuture(), "the close");
        Await.done(connecting, "the connect");
        assertFalse(connecting.isSuccess());
    }

    /** A numeric address needs no lookup. */
    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldNotLookUpAnAddress(Pair pair) throws Exception {
        try (Rig rig = pair.rig()) {
            Channel server = listen(rig);
            rig.client()
                    .setOption(
                            ChannelOption.NAME_RESOLVER,
                            host -> NamedConnectMatrixTest.thrown(new AssertionError(host)));
            rig.connect(InetSocketAddress.createUnresolved("127.0.0.1", portOf(server)));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldAskTheSystemByDefault(Pair pair) throws Exception {
        try (Rig rig = pair.rig()) {
            Channel server = listen(rig);
            rig.connect(InetSocketAddress.createUnresolved("localhost", portOf(server)));
        }
    }

    // ---- several addresses ------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(
            names = {"UNIX", "LOCAL"},
            mode = Mode.EXCLUDE)
    void shouldTryTheNextAddressWhenOneRefuses(Pair pair) throws Exception {
        try (Rig rig = pair.rig()) {
            Channel server = listen(rig);
            ChannelFuture connecting =
                    connecting(rig, portOf(server), host -> addresses("127.0.0.2", "::1", "127.0.0.1"), new Recorder());
            Channel channel = Await.success(connecting, "the connection").getChannel();
            assertEquals(
                    "127.0.0.1",
                    ((InetSocketAddress) channel.getRemoteAddress())
                            .getAddress()
                            .getHostAddress());
        }
    }

    /** Reaching the connect time-out would mean that the test has failed. */
    @ParameterizedTest
    @EnumSource(
            names = {"UNIX", "LOCAL"},
            mode = Mode.EXCLUDE)
    void shouldNotWaitForADeadAddress(Pair pair) throws Exception {
        try (Rig rig = pair.rig();
                CapturedLog log = CapturedLog.start()) {
            Channel server = listen(rig);
            try (DeadAddress dead = new DeadAddress("127.0.0.2", portOf(server))) {
                rig.client().setOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        Duration.ofMinutes(10).toMillis());
                ChannelFuture connecting =
                        connecting(rig, dead.port(), host -> addresses("127.0.0.2", "127.0.0.1"), new Recorder());
                Channel channel = Await.success(connecting, "the connection").getChannel();
                assertEquals(
                        "127.0.0.1",
                        ((InetSocketAddress) channel.getRemoteAddress())
                                .getAddress()
                                .getHostAddress());
            }
            assertEquals(List.of(), log.messages(InternalLogLevel.ERROR));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldReportForEachAddressWhyItFailed(Pair pair) throws Exception {
        int free;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            free = taken.getLocalPort();
        }
        try (Rig rig = pair.rig()) {
            Recorder client = new Recorder();
            ChannelFuture connecting =
                    connecting(rig, free, host -> addresses("127.0.0.2", "127.0.0.3", "127.0.0.1"), client);
            Throwable cause = Await.failure(connecting, "a connect");
            assertInstanceOf(ConnectException.class, cause);
            String said = cause.getMessage();
            assertTrue(
                    said.startsWith("cannot connect to any of the 3 addresses of " + HOST + ":" + free + ": "), said);
            for (String address : List.of("127.0.0.1", "127.0.0.2", "127.0.0.3")) {
                assertTrue(said.contains(HOST + "/" + address + ":" + free), said);
            }
            assertInstanceOf(ConnectException.class, cause.getCause());
            assertEquals(2, cause.getSuppressed().length);
            Await.done(connecting.getChannel().getCloseFuture(), "the close");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldLimitTheTimeOfAllAddressesTogether(Pair pair) throws Exception {
        try (Rig rig = pair.rig();
                DeadAddress dead = new DeadAddress("127.0.0.2", 0)) {
            rig.client().setOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 400);
            ChannelFuture connecting =
                    connecting(rig, dead.port(), host -> addresses("127.0.0.2", "127.0.0.3"), new Recorder());
            Throwable cause = Await.failure(connecting, "a connect");
            assertInstanceOf(ConnectTimeoutException.class, cause);
            assertEquals("connection timed out after 400 ms: " + HOST + ":" + dead.port(), cause.getMessage());
            assertEquals(1, cause.getSuppressed().length, "the one that was refused");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldEndARaceOnCloseCancelOrReleaseOfTheFactory(Pair pair) throws Exception {
        for (int way = 0; way < 3; way++) {
            try (Rig rig = pair.rig();
                    DeadAddress dead = new DeadAddress("127.0.0.2", 0)) {
                ChannelFuture connecting =
                        connecting(rig, dead.port(), host -> addresses("127.0.0.2", "127.0.0.2"), new Recorder());
                end(way, rig, connecting);
            }
        }
    }

    // ---- other handlers ---------------------------------------------------------------------------------------------

    /** The name that the client requests, and that the certificate contains, is that of the connect. */
    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldLetTlsVerifyTheName(Pair pair) throws Exception {
        SelfSignedCertificate certificate = Certificates.named(HOST);
        SslContext serverTls = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .build();
        SslContext clientTls =
                SslContextBuilder.forClient().trust(certificate.cert()).build();
        try (Rig rig = pair.rig()) {
            Channel server =
                    rig.listen(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), serverTls::newHandler);
            NameResolver resolver = host -> addresses("127.0.0.2", "127.0.0.1");
            for (String host : List.of(HOST, "other.example")) {
                rig.client().setOption(ChannelOption.NAME_RESOLVER, resolver);
                SslHandler tls = clientTls.newHandler();
                rig.connect(InetSocketAddress.createUnresolved(host, portOf(server)), tls, new Recorder());
                ChannelFuture handshake = tls.handshake();
                Await.done(handshake, "the handshake");
                assertEquals(host.equals(HOST), handshake.isSuccess(), () -> String.valueOf(handshake.getCause()));
            }
        }
    }

    /** The proxy gets the target's name; the proxy's own name is looked up here. */
    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldLookUpTheNameOfAProxyButNotThatOfItsTarget(Pair pair) throws Exception {
        BlockingQueue<String> asked = new LinkedBlockingQueue<>();
        try (Rig rig = pair.rig();
                ServerSocket proxy = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            rig.client().setOption(ChannelOption.NAME_RESOLVER, host -> {
                asked.add(host);
                return addresses("127.0.0.1");
            });
            HttpProxyHandler handler =
                    new HttpProxyHandler(InetSocketAddress.createUnresolved("proxy.example", proxy.getLocalPort()));
            rig.connecting(InetSocketAddress.createUnresolved("target.example", 443), handler, new Recorder());
            try (Socket connection = proxy.accept()) {
                connection.setSoTimeout((int) Await.LIMIT.toMillis());
                BufferedReader request = new BufferedReader(
                        new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
                assertEquals("CONNECT target.example:443 HTTP/1.1", request.readLine());
            }
            assertEquals(List.of("proxy.example"), List.copyOf(asked));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldLookUpNamesAfterResolversThatFailWithoutMemory(Pair pair) throws Exception {
        try (Rig rig = pair.rig()) {
            Channel server = listen(rig);
            for (int i = 0; i < MOST_LOOKUPS; i++) {
                ChannelFuture lost =
                        connecting(rig, portOf(server), NamedConnectMatrixTest::failWithoutMemory, new Recorder());
                Await.failure(lost, "the failure of the resolver");
            }
            ChannelFuture connecting = connecting(rig, portOf(server), host -> addresses("127.0.0.1"), new Recorder());
            Await.success(connecting, "the connection");
        }
    }

    private static List<InetAddress> failWithoutMemory(String host) {
        throw new Error() {
            @Override
            public String toString() {
                throw new OutOfMemoryError("as if the heap were full");
            }
        };
    }

    // ---- the socket that wins ---------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldConnectWithTheConfiguredOptions(Pair pair) throws Exception {
        try (Rig rig = pair.rig()) {
            Channel server = listen(rig);
            Channel byAddress = rig.connect(server.getLocalAddress());
            int systemBuffer = ((SocketChannelConfig) byAddress.getConfig()).getSendBufferSize();
            rig.client().setOption(ChannelOption.TCP_NODELAY, true);
            rig.client().setOption(ChannelOption.KEEP_ALIVE, true);
            rig.client().setOption(ChannelOption.SO_LINGER, 7);
            rig.client().setOption(ChannelOption.RECEIVE_BUFFER_SIZE, 20_000);
            ChannelFuture connecting =
                    connecting(rig, portOf(server), host -> addresses("127.0.0.2", "127.0.0.1"), new Recorder());
            Channel channel = Await.success(connecting, "the connection").getChannel();
            SocketChannelConfig config = (SocketChannelConfig) channel.getConfig();
            assertTrue(config.isTcpNoDelay());
            assertTrue(config.isKeepAlive());
            assertEquals(7, config.getSoLinger());
            assertEquals(20_000, config.getReceiveBufferSize());
            assertTrue(config.getSendBufferSize() >= systemBuffer, "an unset option is left to the system");
            config.setTcpNoDelay(false);
            assertFalse(config.isTcpNoDelay());
            config.setSoLinger(-1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldConnectABoundChannelToAnAddressOfItsFamily(Pair pair) throws Exception {
        try (Rig rig = pair.rig()) {
            Channel server = listen(rig);
            rig.client().setOption(ChannelOption.NAME_RESOLVER, host -> addresses("::1", "127.0.0.1", "127.0.0.2"));
            rig.client().setOption("localAddress", new InetSocketAddress(InetAddress.getByName("127.0.0.3"), 0));
            Channel channel = rig.connect(InetSocketAddress.createUnresolved(HOST, portOf(server)));
            assertEquals(
                    "127.0.0.3",
                    ((InetSocketAddress) channel.getLocalAddress()).getAddress().getHostAddress());
            assertEquals(
                    "127.0.0.1",
                    ((InetSocketAddress) channel.getRemoteAddress())
                            .getAddress()
                            .getHostAddress());
        }
    }
}
