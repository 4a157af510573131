package org.freshet.channel.socket.nio;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.socket.DatagramChannel;
import org.freshet.channel.socket.DatagramChannelFactory;
import org.freshet.channel.socket.InternetProtocolFamily;
import org.freshet.channel.socket.nio.loop.NonBlockingSockets;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopStart;
import org.freshet.internal.transport.NewSockets;

/**
 * Makes UDP channels driven by selectors.
 *
 * <p>A worker receives and sends for its channels, and their handlers run on it. Workers each occupy a thread of their
 * executor from the construction of this factory until {@link #shutdown()} or {@link #releaseExternalResources()}, so
 * the executor needs enough threads: usually use a cached pool.
 *
 * <p>Without a protocol family, channels use both IPv4 and IPv6 where the system allows. Specify one to send to and
 * join groups of that family on systems that keep the two apart.
 *
 * <p>Threading: any thread may call it, but {@code shutdown} and {@code releaseExternalResources} are refused on I/O
 * threads.
 */
public class NioDatagramChannelFactory extends PooledFactory implements DatagramChannelFactory {
    private final WorkerPool<NioDatagramWorker> workers;
    private final InternetProtocolFamily family;
    private final ChannelSink sink = new NioDatagramSink();

    /** Uses two workers per processor, on a cached thread pool that {@link #shutdown()} also ends. */
    public NioDatagramChannelFactory() {
        this((InternetProtocolFamily) null);
    }

    /**
     * Uses two workers per processor, on a cached thread pool that {@link #shutdown()} also ends.
     *
     * @param family null lets the system choose
     */
    public NioDatagramChannelFactory(InternetProtocolFamily family) {
        this(newPool(LoopStart.DEFAULT_WORKER_COUNT), family, true, Platform.DEFAULT);
    }

    /**
     * Uses the given number of workers, on a cached thread pool that {@link #shutdown()} also ends.
     *
     * @throws IllegalArgumentException if the count is not positive
     */
    public NioDatagramChannelFactory(int workerCount) {
        this(newPool(workerCount), null, true, Platform.DEFAULT);
    }

    private static NioDatagramWorkerPool newPool(int workerCount) {
        return new NioDatagramWorkerPool(Executors.newCachedThreadPool(), workerCount);
    }

    /**
     * Uses two workers per processor, but no more than the executor has threads for, if it is a
     * {@link java.util.concurrent.ThreadPoolExecutor}.
     */
    public NioDatagramChannelFactory(Executor workerExecutor) {
        this(workerExecutor, null);
    }

    /**
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor has too few threads
     */
    public NioDatagramChannelFactory(Executor workerExecutor, int workerCount) {
        this(workerExecutor, workerCount, null);
    }

    /** Uses workers that can be shared with other factories through a {@link ShareableWorkerPool}. */
    public NioDatagramChannelFactory(WorkerPool<NioDatagramWorker> workerPool) {
        this(workerPool, null);
    }

    /**
     * Uses two workers per processor, but no more than the executor has threads for, if it is a
     * {@link java.util.concurrent.ThreadPoolExecutor}.
     *
     * @param family null lets the system choose
     */
    public NioDatagramChannelFactory(Executor workerExecutor, InternetProtocolFamily family) {
        this(workerExecutor, LoopStart.defaultWorkerCount(workerExecutor), family);
    }

    /**
     * @param family null lets the system choose
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor has too few threads
     */
    public NioDatagramChannelFactory(Executor workerExecutor, int workerCount, InternetProtocolFamily family) {
        this(new NioDatagramWorkerPool(workerExecutor, workerCount), family);
    }

    /**
     * Uses workers that can be shared with other factories through a {@link ShareableWorkerPool}.
     *
     * @param family null lets the system choose
     */
    public NioDatagramChannelFactory(WorkerPool<NioDatagramWorker> workerPool, InternetProtocolFamily family) {
        this(workerPool, family, false, Platform.DEFAULT);
    }

    /** Uses the platform of the pool, for tests and simulations. */
    NioDatagramChannelFactory(
            WorkerPool<NioDatagramWorker> workerPool, InternetProtocolFamily family, Platform platform) {
        this(workerPool, family, false, platform);
    }

    private NioDatagramChannelFactory(
            WorkerPool<NioDatagramWorker> workerPool,
            InternetProtocolFamily family,
            boolean ownsExecutor,
            Platform platform) {
        super(platform, ownsExecutor, Objects.requireNonNull(workerPool, "workerPool"));
        workers = workerPool;
        this.family = family;
    }

    /**
     * Opens a socket to bind or connect next. After the shutdown, returns a closed channel whose requests all fail.
     *
     * @throws org.freshet.channel.ChannelException if no socket of the protocol family can be opened
     */
    @Override
    public DatagramChannel newChannel(ChannelPipeline pipeline) {
        java.nio.channels.DatagramChannel socket = NonBlockingSockets.openDatagram(platform.provider(), family);
        NioDatagramChannel channel = NewSockets.newChannel(
                socket, () -> new NioDatagramChannel(this, pipeline, sink, socket, workers.nextWorker()));
        if (!channel.open()) {
            channel.refuseOpen(socket);
        }
        return channel;
    }
}
