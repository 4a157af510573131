package org.freshet.channel.socket.nio;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ShutdownTest {
    @Test
    void shouldCloseChannelsFailWritesAndEndThreads() {
        ExecutorService bosses = Executors.newCachedThreadPool();
        ExecutorService workers = Executors.newCachedThreadPool();
        NioServerSocketChannelFactory servers = new NioServerSocketChannelFactory(bosses, workers, 2);
        try (Rig rig = new Rig()) {
            Channel server = servers.newChannel(Channels.pipeline(new Recorder()));
            Recorder accepted = new Recorder();
            server.getConfig().setPipelineFactory(() -> Channels.pipeline(accepted));
            Await.success(server.bind(loopback()), "the bind");
            rig.connected(server, new Recorder()).setReadable(false);
            Channel channel = accepted.awaitConnected();
            List<ChannelFuture> futures = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                futures.add(channel.write(wrappedBuffer(new byte[100_000])));
            }
            servers.releaseExternalResources();
            futures.forEach(future -> assertTrue(future.isDone(), "done when the release returns"));
            assertFalse(channel.isOpen() || server.isOpen());
            assertTrue(bosses.isShutdown() && workers.isShutdown());
            assertTrue(accepted.events().contains("closed"));
            Await.failure(channel.write(copiedBuffer("x", US_ASCII)), "a write after the release");
            Await.success(channel.close(), "a close after the release");
            Await.failure(channel.getPipeline().execute(() -> {}), "a task after the release");
        }
    }

    @Test
    void shouldCreateClosedChannelsAfterwards() {
        NioClientSocketChannelFactory clients = new NioClientSocketChannelFactory();
        clients.shutdown();
        assertFalse(clients.newChannel(Channels.pipeline(new Recorder())).isOpen());
        NioServerSocketChannelFactory servers = new NioServerSocketChannelFactory();
        servers.shutdown();
        assertFalse(servers.newChannel(Channels.pipeline(new Recorder())).isOpen());
    }

    @Test
    void shouldBeRefusedOnAnIoThread() {
        try (Rig rig = new Rig()) {
            Channel client = rig.connected(rig.bind(new Recorder()), new Recorder());
            Rig.onLoop(client, () -> {
                IllegalStateException refusal =
                        assertThrows(IllegalStateException.class, rig.clients::releaseExternalResources);
                assertTrue(refusal.getMessage().contains("I/O thread"), refusal::getMessage);
                assertThrows(IllegalStateException.class, rig.servers::shutdown);
            });
            assertTrue(client.isOpen());
        }
    }

    @Test
    void shouldReportThatAnExecutorIsTooSmall() {
        ExecutorService small = Executors.newFixedThreadPool(2);
        try {
            IllegalStateException refusal =
                    assertThrows(IllegalStateException.class, () -> new NioWorkerPool(small, 3));
            assertTrue(refusal.getMessage().contains("too few threads for 3 worker loops"), refusal::getMessage);
        } finally {
            small.shutdown();
        }
    }

    @Test
    void shouldReportThatAnExecutorProvidesNoThreads() {
        ExecutorService busy = Executors.newFixedThreadPool(2);
        CountDownLatch released = new CountDownLatch(1);
        try {
            busy.execute(() -> Await.latch(released, "the end of the test"));
            assertThrows(IllegalStateException.class, () -> new ImpatientPool(busy));
        } finally {
            released.countDown();
            busy.shutdown();
        }
        assertThrows(IllegalStateException.class, () -> new NioWorkerPool(Runnable::run, 1));
        assertThrows(
                IllegalStateException.class,
                () -> new NioWorkerPool(
                        task -> {
                            throw new RejectedExecutionException("no");
                        },
                        1));
        assertThrows(IllegalArgumentException.class, () -> new NioWorkerPool(Executors.newCachedThreadPool(), 0));
    }

    /** Two loops, which must start within 50 ms. */
    private static final class ImpatientPool extends LoopPool<NioServerBoss> {
        ImpatientPool(Executor executor) {
            super(executor, 2, LoopRole.SERVER_BOSS, null, 50);
        }

        @Override
        NioServerBoss newLoop(Executor executor) {
            return new NioServerBoss(Platform.DEFAULT);
        }
    }

    /** Whichever of its two pools a factory cannot create, no threads of the other one remain. */
    @Test
    void shouldKeepNoThreadWhenAFactoryCannotBeCreated() {
        ThreadPoolExecutor executor = (ThreadPoolExecutor) Executors.newCachedThreadPool();
        ThreadPoolExecutor tiny = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        try {
            refused(() -> new NioServerSocketChannelFactory(tiny, 2, executor, 2));
            refused(() -> new NioServerSocketChannelFactory(executor, 1, tiny, 2));
            refused(() -> new NioServerSocketChannelFactory(executor, 1, (WorkerPool<NioWorker>) null));
            refused(() -> new NioClientSocketChannelFactory(tiny, executor, 2, 2));
            refused(() -> new NioClientSocketChannelFactory(executor, tiny, 1, 2));
            refused(() -> new NioClientSocketChannelFactory(executor, 1, null));
            Await.until(() -> executor.getActiveCount() == 0, "the end of every loop; running: " + executor);
        } finally {
            executor.shutdown();
            tiny.shutdown();
        }
    }

    private static void refused(Executable construction) {
        assertThrows(RuntimeException.class, construction);
    }

    @Test
    void shouldLeaveSharedWorkersToTheirLastUser() {
        ShareableWorkerPool<NioWorker> shared =
                new ShareableWorkerPool<>(new NioWorkerPool(Executors.newCachedThreadPool(), 2));
        NioServerSocketChannelFactory servers =
                new NioServerSocketChannelFactory(Executors.newCachedThreadPool(), shared);
        NioClientSocketChannelFactory clients =
                new NioClientSocketChannelFactory(Executors.newCachedThreadPool(), 1, shared);
        servers.releaseExternalResources();
        Channel client = clients.newChannel(Channels.pipeline(new Recorder()));
        Rig.onLoop(client, () -> {});
        clients.releaseExternalResources();
        shared.destroy();
        assertFalse(client.isOpen(), "closed with its worker");
    }

    @Test
    void shouldContinueAfterItsThreadWasInterrupted() {
        ExecutorService workers = Executors.newCachedThreadPool();
        NioClientSocketChannelFactory clients =
                new NioClientSocketChannelFactory(Executors.newCachedThreadPool(), workers, 1);
        Channel client = clients.newChannel(Channels.pipeline(new Recorder()));
        workers.shutdownNow();
        Rig.onLoop(client, () -> {});
        Rig.onLoop(client, () -> {});
        clients.releaseExternalResources();
        assertFalse(client.isOpen());
    }

    @Test
    void shouldKeepConnectionsAcrossARebuildOfTheirSelectors() {
        try (Rig rig = new Rig()) {
            NioWorkerPool workers = new NioWorkerPool(Executors.newCachedThreadPool(), 1);
            NioServerBossPool bosses = new NioServerBossPool(Executors.newCachedThreadPool(), 1);
            NioServerSocketChannelFactory servers = new NioServerSocketChannelFactory(bosses, workers);
            Recorder accepted = new Recorder();
            Channel server = servers.newChannel(Channels.pipeline(new Recorder()));
            server.getConfig().setPipelineFactory(() -> Channels.pipeline(accepted));
            Await.success(server.bind(loopback()), "the bind");
            Channel first = rig.connected(server, new Recorder());
            Channel acceptedFirst = accepted.awaitConnected();
            workers.rebuildSelectors();
            bosses.rebuildSelectors();
            Rig.onLoop(acceptedFirst, () -> {});
            first.write(copiedBuffer("old", US_ASCII));
            accepted.awaitReceived(3);
            rig.connected(server, new Recorder()).write(copiedBuffer("new", US_ASCII));
            accepted.awaitReceived(6);
            servers.releaseExternalResources();
        }
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}
