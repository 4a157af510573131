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
 * Makes connections over Unix domain sockets, to servers on the same machine. Bosses and workers are those of {@link
 * NioClientSocketChannelFactory}, and may be shared with it; the options are those of {@link NioUnixServerChannelFactory}'s connections.
 *
 * <pre>{@code
 * ClientBootstrap bootstrap = new ClientBootstrap(new NioUnixClientChannelFactory());
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(new MyHandler()));
 * ChannelFuture connected = bootstrap.connect(UnixDomainSocketAddress.of("/run/my-service/http.sock"));
 * }</pre>
 *
 * <p>A connect succeeds or fails immediately. It fails with a {@link java.net.ConnectException} if there is no file, no server behind it,
 * or no room in the server's backlog: then try again later. A client has no need to be bound; if it is, its file is deleted at the close.
 * A TLS client has to be given the server's name, because the address has none.
 *
 * <p>Threading: any thread, but the two ending methods are refused on I/O threads.
 */
public final class NioUnixClientChannelFactory extends PooledFactory implements ChannelFactory {
    private final WorkerPool<NioWorker> workers;
    private final ChannelSink sink;

    /** One boss and two workers per processor, on cached thread pools that {@link #shutdown()} ends too. */
    public NioUnixClientChannelFactory() {
        this(LoopStart.DEFAULT_WORKER_COUNT);
    }

    /**
     * One boss and that number of workers, on cached thread pools that {@link #shutdown()} ends too.
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

    /** Bosses and workers of yours, which other factories may share by a {@link ShareableWorkerPool}. */
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
     * Opens a socket, to be connected next. After the shutdown, returns a closed channel whose requests all fail.
     *
     * @throws org.freshet.channel.ChannelException if no socket can be opened, or the system has no Unix domain sockets
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
