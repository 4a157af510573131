package org.freshet.channel.socket.nio;

import java.nio.channels.ServerSocketChannel;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.socket.ServerSocketChannelFactory;
import org.freshet.channel.socket.nio.loop.NonBlockingSockets;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopStart;
import org.freshet.internal.transport.NewSockets;

/**
 * Makes listening TCP sockets whose connections are driven by selectors.
 *
 * <p>A boss thread accepts connections and hands them to workers. A worker reads and writes its connections for their
 * whole life, and their handlers run on it. Bosses and workers each occupy a thread of their executor from the
 * construction of this factory until {@link #shutdown()} or {@link #releaseExternalResources()}, so executors need
 * enough threads: usually use a cached pool.
 *
 * <pre>{@code
 * ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(new BackPressureHandler(), new MyHandler()));
 * Channel server = bootstrap.bind(new InetSocketAddress(8080));
 * ...
 * server.close().awaitUninterruptibly();
 * bootstrap.releaseExternalResources(); // closes the connections and ends the threads
 * }</pre>
 *
 * <p>Threading: any thread may call it, but {@code shutdown} and {@code releaseExternalResources} are refused on I/O
 * threads.
 */
public class NioServerSocketChannelFactory extends PooledFactory implements ServerSocketChannelFactory {
    private static final int DEFAULT_BOSS_COUNT = 1;

    private final BossPool<NioServerBoss> bosses;
    private final WorkerPool<NioWorker> workers;
    private final ChannelSink sink = new NioServerSink();
    private final ChannelSink childSink = new NioSocketSink(null);

    /** Uses one boss and two workers per processor, on cached thread pools that {@link #shutdown()} also ends. */
    public NioServerSocketChannelFactory() {
        this(LoopStart.DEFAULT_WORKER_COUNT);
    }

    /**
     * Uses one boss and the given number of workers, on cached thread pools that {@link #shutdown()} also ends.
     *
     * @throws IllegalArgumentException if the count is not positive
     */
    public NioServerSocketChannelFactory(int workerCount) {
        this(
                new NioServerBossPool(Executors.newCachedThreadPool(), DEFAULT_BOSS_COUNT),
                () -> new NioWorkerPool(Executors.newCachedThreadPool(), workerCount),
                true);
    }

    /**
     * Uses one boss and two workers per processor, but no more workers than {@code workerExecutor} has threads for, if
     * it is a {@link java.util.concurrent.ThreadPoolExecutor}.
     */
    public NioServerSocketChannelFactory(Executor bossExecutor, Executor workerExecutor) {
        this(
                bossExecutor,
                workerExecutor,
                LoopStart.defaultWorkerCount(workerExecutor, bossExecutor, DEFAULT_BOSS_COUNT));
    }

    /** Uses one boss. */
    public NioServerSocketChannelFactory(Executor bossExecutor, Executor workerExecutor, int workerCount) {
        this(bossExecutor, DEFAULT_BOSS_COUNT, workerExecutor, workerCount);
    }

    /**
     * @param bossCount threads that accept; more than one helps only with several bound ports
     * @throws IllegalArgumentException if a count is not positive
     * @throws IllegalStateException if an executor has too few threads
     */
    public NioServerSocketChannelFactory(
            Executor bossExecutor, int bossCount, Executor workerExecutor, int workerCount) {
        this(
                new NioServerBossPool(bossExecutor, bossCount),
                () -> new NioWorkerPool(workerExecutor, workerCount),
                false);
    }

    /** Uses one boss, and workers that can be shared with other factories through a {@link ShareableWorkerPool}. */
    public NioServerSocketChannelFactory(Executor bossExecutor, WorkerPool<NioWorker> workerPool) {
        this(bossExecutor, DEFAULT_BOSS_COUNT, workerPool);
    }

    public NioServerSocketChannelFactory(Executor bossExecutor, int bossCount, WorkerPool<NioWorker> workerPool) {
        this(new NioServerBossPool(bossExecutor, bossCount), () -> nonNull(workerPool), false);
    }

    public NioServerSocketChannelFactory(BossPool<NioServerBoss> bossPool, WorkerPool<NioWorker> workerPool) {
        this(bossPool, workerPool, false, Platform.DEFAULT);
    }

    /** Uses the platform of the pools, for tests and simulations. */
    NioServerSocketChannelFactory(
            BossPool<NioServerBoss> bossPool, WorkerPool<NioWorker> workerPool, Platform platform) {
        this(bossPool, workerPool, false, platform);
    }

    /** @param bossPool made for this factory */
    private NioServerSocketChannelFactory(
            NioServerBossPool bossPool, Supplier<WorkerPool<NioWorker>> workerPool, boolean ownsExecutors) {
        this(bossPool, secondPool(bossPool, workerPool), ownsExecutors, Platform.DEFAULT);
    }

    private static WorkerPool<NioWorker> nonNull(WorkerPool<NioWorker> workerPool) {
        return Objects.requireNonNull(workerPool, "workerPool");
    }

    private NioServerSocketChannelFactory(
            BossPool<NioServerBoss> bossPool,
            WorkerPool<NioWorker> workerPool,
            boolean ownsExecutors,
            Platform platform) {
        super(platform, ownsExecutors, Objects.requireNonNull(bossPool, "bossPool"), nonNull(workerPool));
        bosses = bossPool;
        workers = workerPool;
    }

    /**
     * Opens a listening socket to bind next. After the shutdown, returns a closed channel whose requests all fail.
     *
     * @throws ChannelException if no socket can be opened
     */
    @Override
    public org.freshet.channel.socket.ServerSocketChannel newChannel(ChannelPipeline pipeline) {
        ServerSocketChannel socket = NonBlockingSockets.openServer(platform.provider());
        NioServerSocketChannel channel = NewSockets.newChannel(
                socket,
                () -> new NioServerSocketChannel(this, pipeline, sink, socket, bosses.nextBoss(), workers, childSink));
        channel.open();
        return channel;
    }
}
