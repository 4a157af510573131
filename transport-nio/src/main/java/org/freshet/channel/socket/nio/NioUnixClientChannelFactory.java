package org.freshet.channel.socket.nio;

import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.Executors;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.socket.nio.loop.NonBlockingSockets;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopStart;
import org.freshet.internal.transport.NewSockets;

/**
 * Makes connections over Unix domain sockets, to servers on the same machine. It uses the same kinds of bosses and
 * workers as {@link NioClientSocketChannelFactory}, and can share them with it. The options are those of
 * {@link NioUnixServerChannelFactory}'s connections.
 *
 * <pre>{@code
 * ClientBootstrap bootstrap = new ClientBootstrap(new NioUnixClientChannelFactory());
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(new MyHandler()));
 * ChannelFuture connected = bootstrap.connect(UnixDomainSocketAddress.of("/run/my-service/http.sock"));
 * }</pre>
 *
 * <p>A connect succeeds or fails immediately. It fails with a {@link java.net.ConnectException} if the file does not
 * exist, no server is listening on it, or the server's backlog is full; in that case try again later. A client need not
 * be bound; if it is, its file is deleted at the close. Pass the server's name to a TLS client, because the address has
 * none.
 *
 * <p>Threading: any thread may call it, but {@code shutdown} and {@code releaseExternalResources} are refused on I/O
 * threads.
 */
public final class NioUnixClientChannelFactory extends PooledFactory implements ChannelFactory {
    private final WorkerPool<NioWorker> workers;
    private final ChannelSink sink;

    /** Uses one boss and two workers per processor, on cached thread pools that {@link #shutdown()} also ends. */
    public NioUnixClientChannelFactory() {
        this(LoopStart.DEFAULT_WORKER_COUNT);
    }

    /**
     * Uses one boss and the given number of workers, on cached thread pools that {@link #shutdown()} also ends.
     *
     * @throws IllegalArgumentException if the count is not positive
     */
    public NioUnixClientChannelFactory(int workerCount) {
        this(new NioClientBossPool(Executors.newCachedThreadPool(), 1), workerCount);
    }

    private NioUnixClientChannelFactory(NioClientBossPool bossPool, int workerCount) {
        this(
                bossPool,
                secondPool(bossPool, () -> new NioWorkerPool(Executors.newCachedThreadPool(), workerCount)),
                true);
    }

    /**
     * Uses your own bosses and workers. Other factories can share the workers through a {@link ShareableWorkerPool}.
     */
    public NioUnixClientChannelFactory(BossPool<NioClientBoss> bossPool, WorkerPool<NioWorker> workerPool) {
        this(bossPool, workerPool, false);
    }

    private NioUnixClientChannelFactory(
            BossPool<NioClientBoss> bossPool, WorkerPool<NioWorker> workerPool, boolean ownsExecutors) {
        super(
                Platform.DEFAULT,
                ownsExecutors,
                Objects.requireNonNull(bossPool, "bossPool"),
                Objects.requireNonNull(workerPool, "workerPool"));
        workers = workerPool;
        sink = new NioSocketSink(bossPool);
    }

    /**
     * Opens a socket to connect next. After the shutdown, returns a closed channel whose requests all fail.
     *
     * @throws org.freshet.channel.ChannelException if no socket can be opened, or the system does not support Unix
     *     domain sockets
     */
    @Override
    public Channel newChannel(ChannelPipeline pipeline) {
        SocketChannel socket = NonBlockingSockets.openUnixClient(platform.provider());
        NioStreamChannel channel = NewSockets.newChannel(
                socket, () -> new NioUnixChannel(this, pipeline, sink, socket, workers.nextWorker()));
        if (!channel.open()) {
            channel.refuseOpen(socket);
        }
        return channel;
    }
}
