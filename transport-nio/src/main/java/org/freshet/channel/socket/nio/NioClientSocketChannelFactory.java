package org.freshet.channel.socket.nio;

import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.socket.ClientSocketChannelFactory;
import org.freshet.channel.socket.nio.loop.NonBlockingSockets;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopStart;
import org.freshet.internal.transport.NewSockets;
import org.freshet.util.Timer;

/**
 * Makes TCP connections driven by selectors.
 *
 * <p>A boss thread waits for connects to finish. A worker reads and writes its connections for their whole life, and
 * their handlers run on it. Bosses and workers each occupy a thread of their executor from the construction of this
 * factory until {@link #shutdown()} or {@link #releaseExternalResources()}, so executors need enough threads: usually
 * use a cached pool.
 *
 * <pre>{@code
 * ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(new MyHandler()));
 * ChannelFuture connected = bootstrap.connect(new InetSocketAddress("localhost", 8080));
 * connected.addListener(future -> {
 *     if (!future.isSuccess()) {
 *         System.err.println(future.getCause());
 *     }
 * });
 * ...
 * connected.getChannel().close().awaitUninterruptibly();
 * bootstrap.releaseExternalResources();
 * }</pre>
 *
 * <p>Threading: any thread may call it, but {@code shutdown} and {@code releaseExternalResources} are refused on I/O
 * threads.
 */
public class NioClientSocketChannelFactory extends PooledFactory implements ClientSocketChannelFactory {
    private static final int DEFAULT_BOSS_COUNT = 1;

    private final WorkerPool<NioWorker> workers;
    private final ChannelSink sink;

    /** Uses one boss and two workers per processor, on cached thread pools that {@link #shutdown()} also ends. */
    public NioClientSocketChannelFactory() {
        this(LoopStart.DEFAULT_WORKER_COUNT);
    }

    /**
     * Uses one boss and the given number of workers, on cached thread pools that {@link #shutdown()} also ends.
     *
     * @throws IllegalArgumentException if the count is not positive
     */
    public NioClientSocketChannelFactory(int workerCount) {
        this(
                new NioClientBossPool(Executors.newCachedThreadPool(), DEFAULT_BOSS_COUNT),
                () -> new NioWorkerPool(Executors.newCachedThreadPool(), workerCount),
                true);
    }

    /**
     * Uses one boss and two workers per processor, but no more workers than {@code workerExecutor} has threads for, if
     * it is a {@link java.util.concurrent.ThreadPoolExecutor}.
     */
    public NioClientSocketChannelFactory(Executor bossExecutor, Executor workerExecutor) {
        this(
                bossExecutor,
                workerExecutor,
                LoopStart.defaultWorkerCount(workerExecutor, bossExecutor, DEFAULT_BOSS_COUNT));
    }

    /** Uses one boss. */
    public NioClientSocketChannelFactory(Executor bossExecutor, Executor workerExecutor, int workerCount) {
        this(bossExecutor, workerExecutor, DEFAULT_BOSS_COUNT, workerCount);
    }

    /**
     * @throws IllegalArgumentException if a count is not positive
     * @throws IllegalStateException if an executor has too few threads
     */
    public NioClientSocketChannelFactory(
            Executor bossExecutor, Executor workerExecutor, int bossCount, int workerCount) {
        this(
                new NioClientBossPool(bossExecutor, bossCount),
                () -> new NioWorkerPool(workerExecutor, workerCount),
                false);
    }

    public NioClientSocketChannelFactory(Executor bossExecutor, int bossCount, WorkerPool<NioWorker> workerPool) {
        this(new NioClientBossPool(bossExecutor, bossCount), () -> nonNull(workerPool), false);
    }

    /** @param timer not needed, because a boss keeps its own deadlines; {@link #releaseExternalResources()} stops it */
    public NioClientSocketChannelFactory(
            Executor bossExecutor, int bossCount, WorkerPool<NioWorker> workerPool, Timer timer) {
        this(new NioClientBossPool(bossExecutor, bossCount, timer, null), () -> nonNull(workerPool), false);
    }

    public NioClientSocketChannelFactory(BossPool<NioClientBoss> bossPool, WorkerPool<NioWorker> workerPool) {
        this(bossPool, workerPool, false, Platform.DEFAULT);
    }

    /** Uses the platform of the pools, for tests and simulations. */
    NioClientSocketChannelFactory(
            BossPool<NioClientBoss> bossPool, WorkerPool<NioWorker> workerPool, Platform platform) {
        this(bossPool, workerPool, false, platform);
    }

    /** @param bossPool made for this factory */
    private NioClientSocketChannelFactory(
            NioClientBossPool bossPool, Supplier<WorkerPool<NioWorker>> workerPool, boolean ownsExecutors) {
        this(bossPool, secondPool(bossPool, workerPool), ownsExecutors, Platform.DEFAULT);
    }

    private static WorkerPool<NioWorker> nonNull(WorkerPool<NioWorker> workerPool) {
        return Objects.requireNonNull(workerPool, "workerPool");
    }

    private NioClientSocketChannelFactory(
            BossPool<NioClientBoss> bossPool,
            WorkerPool<NioWorker> workerPool,
            boolean ownsExecutors,
            Platform platform) {
        super(platform, ownsExecutors, Objects.requireNonNull(bossPool, "bossPool"), nonNull(workerPool));
        workers = workerPool;
        sink = new NioSocketSink(bossPool);
    }

    /**
     * Opens a socket to connect next. After the shutdown, returns a closed channel whose requests all fail.
     *
     * @throws org.freshet.channel.ChannelException if no socket can be opened
     */
    @Override
    public org.freshet.channel.socket.SocketChannel newChannel(ChannelPipeline pipeline) {
        SocketChannel socket = NonBlockingSockets.openClient(platform.provider());
        NioSocketChannel channel = NewSockets.newChannel(
                socket, () -> new NioSocketChannel(this, pipeline, sink, socket, workers.nextWorker()));
        if (!channel.open()) {
            channel.refuseOpen(socket);
        }
        return channel;
    }
}
