package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.ArrayList;
import java.util.List;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectTest {
    private final Rig rig = new Rig();
    private final Recorder recorder = new Recorder();

    @AfterEach
    void release() {
        rig.close();
    }

    private ClientBootstrap bootstrap() {
        ClientBootstrap bootstrap = new ClientBootstrap(rig.clients);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(recorder));
        return bootstrap;
    }

    @Test
    void shouldNameTheAddressThatRefused() throws Exception {
        InetSocketAddress free;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = (InetSocketAddress) taken.getLocalSocketAddress();
        }
        ChannelFuture future = bootstrap().connect(free);
        Throwable cause = Await.failure(future, "a refused connect");
        assertInstanceOf(ConnectException.class, cause);
        assertTrue(cause.getMessage().contains(String.valueOf(free.getPort())), cause::getMessage);
        assertEquals(future.getChannel(), recorder.awaitClosed());
        assertEquals(List.of("open", "closed"), recorder.events());
    }

    @Test
    void shouldBeRefusedAfterTheServerHasClosed() {
        for (int i = 0; i < 20; i++) {
            Channel server = rig.bind(new Recorder());
            Await.success(server.close(), "the close of the server");
            assertInstanceOf(
                    ConnectException.class,
                    Await.failure(bootstrap().connect(server.getLocalAddress()), "a connect to a closed server"));
        }
    }

    @Test
    void shouldTimeOutByDeadlineAndCloseTheChannel() throws Exception {
        try (FullListener listener = new FullListener()) {
            ClientBootstrap bootstrap = bootstrap();
            bootstrap.setOption("connectTimeoutMillis", 50);
            ChannelFuture future = bootstrap.connect(listener.address());
            assertInstanceOf(ConnectTimeoutException.class, Await.failure(future, "a connect time-out"));
            recorder.awaitClosed();
        }
    }

    @Test
    void shouldCloseTheChannelWhenTheConnectIsCancelled() throws Exception {
        try (FullListener listener = new FullListener()) {
            ChannelFuture future = bootstrap().connect(listener.address());
            assertTrue(future.cancel());
            assertTrue(future.isCancelled());
            recorder.awaitClosed();
            assertEquals(List.of("open", "closed"), recorder.events());
        }
    }

    @Test
    void shouldFailTheConnectWhenTheChannelClosesInTheMeantime() throws Exception {
        try (FullListener listener = new FullListener()) {
            ChannelFuture future = bootstrap().connect(listener.address());
            Await.success(future.getChannel().close(), "the close");
            Await.failure(future, "a connect of a closed channel");
        }
    }

    @Test
    void shouldFailTheConnectWhenTheFactoryIsReleasedInTheMeantime() throws Exception {
        try (FullListener listener = new FullListener()) {
            ChannelFuture future = bootstrap().connect(listener.address());
            rig.clients.releaseExternalResources();
            assertTrue(future.isDone(), "done when the release returns");
            assertTrue(future.getChannel().getCloseFuture().isDone());
        }
    }

    @Test
    void shouldNameAnUnresolvedAddress() {
        ChannelFuture future = bootstrap().connect(InetSocketAddress.createUnresolved("nowhere.invalid", 7));
        Throwable cause = Await.failure(future, "an unresolved connect");
        assertInstanceOf(UnresolvedAddressException.class, cause);
        assertTrue(cause.getMessage().contains("nowhere.invalid:7"), cause::getMessage);
        recorder.awaitClosed();
    }

    @Test
    void shouldConnectFromTheAddressItWasBoundTo() {
        Channel server = rig.bind(new Recorder());
        ChannelFuture future = bootstrap()
                .connect(server.getLocalAddress(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Await.success(future, "a connect");
        recorder.awaitConnected();
        assertEquals(List.of("open", "bound", "connected"), recorder.events());
    }

    @Test
    void shouldRefuseASecondConnect() {
        Channel server = rig.bind(new Recorder());
        Channel client = rig.connected(server, recorder);
        assertInstanceOf(
                AlreadyConnectedException.class,
                Await.failure(client.connect(server.getLocalAddress()), "a second connect"));
        assertTrue(client.isConnected());
    }

    /**
     * The boss runs out of memory while it registers the socket; the failed task must not be the last reference to the
     * attempt.
     */
    @Test
    void shouldFailAConnectIfTheBossRunsOutOfMemory() throws Exception {
        IdleSelectorProvider selectors = new IdleSelectorProvider(timeout -> 0);
        selectors.exhaustMemory();
        try (CapturedLog log = CapturedLog.start();
                FullListener listener = new FullListener();
                SteppedLoop<NioWorker> worker = new SteppedLoop<>(NioWorker::new, Platform.DEFAULT);
                SteppedLoop<NioClientBoss> boss =
                        new SteppedLoop<>(NioClientBoss::new, new Platform(selectors, System::nanoTime))) {
            Channel channel = new NioClientSocketChannelFactory(
                            SteppedLoop.bosses(boss), SteppedLoop.workers(worker), Platform.DEFAULT)
                    .newChannel(Channels.pipeline(recorder));
            ChannelFuture connect = channel.connect(listener.address());
            worker.turn();
            boss.turn();
            worker.turn();
            assertInstanceOf(OutOfMemoryError.class, connect.getCause(), () -> "" + log.messages());
            assertTrue(channel.getCloseFuture().isDone());
        }
    }

    /** A listener whose backlog is full, so that further connects get no answer. */
    private static final class FullListener implements AutoCloseable {
        private final ServerSocket listener;
        private final List<SocketChannel> fill = new ArrayList<>();

        FullListener() throws IOException {
            listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            // The kernel accepts one or two more than the backlog; connections left waiting do no harm.
            for (int i = 0; i < 8; i++) {
                SocketChannel filler = SocketChannel.open();
                filler.configureBlocking(false);
                filler.connect(address());
                fill.add(filler);
            }
        }

        InetSocketAddress address() {
            return (InetSocketAddress) listener.getLocalSocketAddress();
        }

        @Override
        public void close() throws IOException {
            for (SocketChannel filler : fill) {
                filler.close();
            }
            listener.close();
        }
    }
}
