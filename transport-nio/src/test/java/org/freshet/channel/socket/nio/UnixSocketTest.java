package org.freshet.channel.socket.nio;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.freshet.bootstrap.AcceptGuard;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.CloseReason;
import org.freshet.channel.socket.SocketChannelConfig;
import org.freshet.handler.ipfilter.IpFilterRuleHandler;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Echo;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is specific to Unix domain sockets; the matrix in the codec module tests what they share with other transports.
 */
class UnixSocketTest {
    @TempDir
    private Path folder;

    private Path path;
    private UnixDomainSocketAddress address;
    private Rig rig;

    @BeforeEach
    void open() {
        path = folder.resolve("server.sock");
        address = UnixDomainSocketAddress.of(path);
        rig = new Rig(new NioUnixServerChannelFactory(2), new NioUnixClientChannelFactory(2));
    }

    @AfterEach
    void close() {
        rig.close();
    }

    // ---- addresses --------------------------------------------------------------------------------------------------

    @Test
    void shouldHaveAddressesWithPaths() {
        Recorder accepted = new Recorder();
        Channel server = rig.listen(address, () -> accepted);
        Channel client = rig.connect(address);
        accepted.awaitEvent("connected");
        UnixDomainSocketAddress unnamed = UnixDomainSocketAddress.of("");
        assertEquals(address, server.getLocalAddress());
        assertEquals(address, client.getRemoteAddress());
        assertEquals(unnamed, client.getLocalAddress());
        assertEquals(address, accepted.channel().getLocalAddress());
        assertEquals(unnamed, accepted.channel().getRemoteAddress());
        assertTrue(client.isBound());
    }

    @Test
    void shouldRefuseAnInternetAddress() {
        SocketAddress internet = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Throwable cause = assertThrows(ChannelException.class, () -> rig.listen(internet, Recorder::new))
                .getCause();
        assertTrue(cause.getMessage().startsWith("not a UnixDomainSocketAddress: "), cause::getMessage);
    }

    @Test
    void shouldNameATooLongPath() {
        Path tooLong = folder.resolve("x".repeat(200));
        Throwable cause = assertThrows(
                        ChannelException.class, () -> rig.listen(UnixDomainSocketAddress.of(tooLong), Recorder::new))
                .getCause();
        assertEquals("Unix domain path too long: " + tooLong, cause.getMessage());
    }

    // ---- the file ---------------------------------------------------------------------------------------------------

    @Test
    void shouldDeleteItsFileWhenTheServerCloses() {
        Channel server = rig.listen(address, Recorder::new);
        assertTrue(Files.exists(path));
        Await.success(server.close(), "the close");
        assertFalse(Files.exists(path));
        rig.listen(address, Recorder::new);
        assertTrue(Files.exists(path));
        rig.close();
        assertFalse(Files.exists(path), "a shutdown closes");
    }

    @Test
    void shouldReplaceTheFileOfADeadProcess() throws IOException {
        leaveStaleFile();
        rig.listen(address, Echo::new);
        assertEchoes(rig.connect(address, new Recorder()));
    }

    @Test
    void shouldNotTakeThePathOfAListeningServer() {
        rig.listen(address, Echo::new);
        Channel client = rig.connect(address, new Recorder());
        try (Rig second = new Rig(new NioUnixServerChannelFactory(1), new NioUnixClientChannelFactory(1))) {
            Throwable cause = assertThrows(ChannelException.class, () -> second.listen(address, Recorder::new))
                    .getCause();
            assertInstanceOf(BindException.class, cause);
            assertEquals("Address already in use: " + path, cause.getMessage());
        }
        assertEchoes(client);
        assertEchoes(rig.connect(address, new Recorder()));
    }

    @Test
    void shouldNotDeleteAnyOtherFile() throws IOException {
        Files.writeString(path, "precious");
        Throwable cause = assertThrows(ChannelException.class, () -> rig.listen(address, Recorder::new))
                .getCause();
        assertInstanceOf(BindException.class, cause);
        assertEquals("precious", Files.readString(path));
    }

    @Test
    void shouldNotDeleteAFileThatReplacedItsOwn() throws IOException {
        Channel server = rig.listen(address, Recorder::new);
        Files.delete(path);
        leaveStaleFile();
        Await.success(server.close(), "the close");
        assertTrue(Files.exists(path));
    }

    @Test
    void shouldDeleteTheFileOfABoundClient() {
        Path own = folder.resolve("client.sock");
        rig.listen(address, Recorder::new);
        ChannelFuture connected = rig.client().connect(address, UnixDomainSocketAddress.of(own));
        Channel client = Await.success(connected, "the connection").getChannel();
        assertEquals(UnixDomainSocketAddress.of(own), client.getLocalAddress());
        assertTrue(Files.exists(own));
        Await.success(client.close(), "the close");
        assertFalse(Files.exists(own));
    }

    private void leaveStaleFile() throws IOException {
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(address);
        }
        assertTrue(Files.exists(path));
    }

    // ---- connecting -------------------------------------------------------------------------------------------------

    @Test
    void shouldReportThatThereIsNoServer() throws IOException {
        Throwable missing = Await.failure(rig.connecting(address), "the connect");
        assertInstanceOf(ConnectException.class, missing);
        assertEquals("No such file or directory: " + path, missing.getMessage());
        leaveStaleFile();
        Throwable refused = Await.failure(rig.connecting(address), "the connect");
        assertInstanceOf(ConnectException.class, refused);
        assertEquals("Connection refused: " + path, refused.getMessage());
    }

    /** On Linux there is no way to wait for that. */
    @Test
    void shouldFailImmediatelyWhenTheBacklogIsFull() throws IOException {
        try (ServerSocketChannel deaf = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            deaf.bind(address, 1);
            List<ChannelFuture> connects = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                connects.add(rig.connecting(address));
            }
            connects.forEach(connect -> Await.done(connect, "the connect"));
            List<Throwable> failures = connects.stream()
                    .filter(connect -> !connect.isSuccess())
                    .map(ChannelFuture::getCause)
                    .toList();
            assertFalse(failures.isEmpty());
            for (Throwable full : failures) {
                assertInstanceOf(ConnectException.class, full);
                assertTrue(full.getMessage().endsWith(": " + path), full::getMessage);
            }
        }
    }

    @Test
    void shouldServeTenThousandConnections() {
        rig.server().setOption(ChannelOption.BACKLOG, 4096);
        rig.listen(address, Echo::new);
        for (int wave = 0; wave < 10; wave++) {
            List<Channel> clients = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                clients.add(rig.connect(address, new Recorder()));
            }
            clients.forEach(UnixSocketTest::assertEchoes);
            clients.forEach(client -> Await.success(client.close(), "the close"));
        }
    }

    /** With workers and a boss for both, like a server that listens on a port and on a path. */
    @Test
    void shouldShareItsLoopsWithTcp() {
        NioServerBossPool bosses = new NioServerBossPool(Executors.newCachedThreadPool(), 1);
        NioWorkerPool workers = new NioWorkerPool(Executors.newCachedThreadPool(), 1);
        try (Rig unix = new Rig(new NioUnixServerChannelFactory(bosses, workers), new NioUnixClientChannelFactory(1));
                Rig tcp = new Rig(
                        new NioServerSocketChannelFactory(bosses, workers), new NioClientSocketChannelFactory(1))) {
            unix.listen(address, Echo::new);
            Channel server = tcp.listen(Echo::new);
            assertEchoes(unix.connect(address, new Recorder()));
            assertEchoes(tcp.connect(server.getLocalAddress(), new Recorder()));
        }
    }

    private static void assertEchoes(Channel client) {
        Await.success(client.write(wrappedBuffer("hello".getBytes())), "the write");
        client.getPipeline().get(Recorder.class).awaitText("hello");
    }

    // ---- options and limits -----------------------------------------------------------------------------------------

    @Test
    void shouldReportTcpOptionsAndContinue() {
        try (CapturedLog log = CapturedLog.start()) {
            rig.server().setOption("child.tcpNoDelay", true);
            rig.client().setOption("keepAlive", true);
            rig.listen(address, Echo::new);
            assertEchoes(rig.connect(address, new Recorder()));
            for (String option : List.of("tcpNoDelay", "keepAlive")) {
                log.awaitMessage(message -> message.text().startsWith("ignored an option that")
                        && message.text().contains(option));
            }
        }
    }

    @Test
    void shouldSupportTheOptionsOfTheSocket() {
        rig.listen(address, Echo::new);
        rig.client().setOption(ChannelOption.SEND_BUFFER_SIZE, 32 * 1024);
        rig.client().setOption(ChannelOption.WRITE_BUFFER_HIGH_WATER_MARK, 100_000);
        Channel client = rig.connect(address, new Recorder());
        SocketChannelConfig config = (SocketChannelConfig) client.getConfig();
        assertTrue(config.getSendBufferSize() >= 32 * 1024);
        assertEquals(100_000, ((NioChannelConfig) config).getWriteBufferHighWaterMark());
        assertFalse(config.getOptions().containsKey("tcpNoDelay"));
        assertThrows(ChannelException.class, () -> config.setTcpNoDelay(true));
    }

    @Test
    void shouldLimitConnectionsInTotalAndNotByAddress() {
        rig.server().setOption(ChannelOption.MAX_CONNECTIONS_PER_ADDRESS, 1);
        rig.server().setOption(ChannelOption.MAX_CONNECTIONS, 2);
        rig.listen(address, Echo::new);
        Channel first = rig.connect(address, new Recorder());
        Channel second = rig.connect(address, new Recorder());
        assertEchoes(first);
        assertEchoes(second);
        Channel waiting = rig.connect(address, new Recorder());
        waiting.write(wrappedBuffer("hello".getBytes()));
        Await.success(first.close(), "the close");
        waiting.getPipeline().get(Recorder.class).awaitText("hello");
    }

    @Test
    void shouldRefuseConnectionsBeyondAGuardThatRefuses() {
        rig.server()
                .setAcceptGuard(AcceptGuard.builder()
                        .maxConnections(1)
                        .perAddress(1)
                        .whenFull(AcceptGuard.WhenFull.REFUSE)
                        .build());
        rig.listen(address, Echo::new);
        Channel first = rig.connect(address, new Recorder());
        assertEchoes(first);
        Channel refused = rig.connect(address, new Recorder());
        refused.getPipeline().get(Recorder.class).awaitClosed();
        assertEchoes(first);
    }

    @Test
    void shouldNotPassAnIpFilter() {
        rig.listen(address, () -> new IpFilterRuleHandler());
        Channel client = rig.connect(address, new Recorder());
        client.getPipeline().get(Recorder.class).awaitClosed();
        assertEquals(CloseReason.Kind.PEER_CLOSED, client.getCloseReason().kind());
    }

    @Test
    void shouldDrain() {
        rig.listen(address, Echo::new);
        Recorder client = new Recorder();
        rig.connect(address, client);
        Await.result(rig.server().drain(Duration.ofSeconds(20)), "the drain");
        client.awaitClosed();
        assertFalse(Files.exists(path));
        assertInstanceOf(ConnectException.class, Await.failure(rig.connecting(address), "a late connect"));
    }
}
