package org.freshet.channel.socket.nio;

import java.nio.channels.ServerSocketChannel;
import java.util.Objects;
import java.util.concurrent.Executors;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.ServerChannel;
import org.freshet.channel.ServerChannelFactory;
import org.freshet.channel.socket.nio.loop.NonBlockingSockets;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopStart;
import org.freshet.internal.transport.NewSockets;

/**
 * Makes listening Unix domain sockets, for clients on the same machine. It uses the same kinds of bosses and workers as
 * {@link NioServerSocketChannelFactory}, and can share them with it.
 *
 * <pre>{@code
 * ServerBootstrap bootstrap = new ServerBootstrap(new NioUnixServerChannelFactory());
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(new MyHandler()));
 * Channel server = bootstrap.bind(UnixDomainSocketAddress.of("/run/my-service/http.sock"));
 * }</pre>
 *
 * <p><b>The file.</b> A bind creates the socket file, and a close deletes it, unless another process has replaced it in
 * the meantime. If a file left by a killed process is in the way, the bind replaces it: it connects, and deletes the
 * file only if that is refused. Any other file is left alone, and the bind fails with a {@link java.net.BindException}.
 * Don't start two servers on one path at the same moment: one may consider the other's file stale. The system limits a
 * path to about 100 bytes; with a longer one the bind fails.
 *
 * <p><b>Who may connect.</b> On Linux, processes that may write to the file. Its permissions come from the process's
 * umask, so put it in a directory that only the clients' user or group may enter.
 *
 * <p><b>Addresses.</b> {@code getRemoteAddress()} of a connection is a {@link java.net.UnixDomainSocketAddress}, with
 * an empty path unless the client was bound. The option {@code maxConnectionsPerAddress} and the address rules of an
 * {@code AcceptGuard} don't apply to these connections; {@code maxConnections} does. IP filters refuse them.
 *
 * <p><b>Options.</b> Servers have {@code backlog}, {@code receiveBufferSize} and the connection limits. Connections
 * have {@code soLinger}, {@code sendBufferSize}, {@code receiveBufferSize} and all options that don't concern the
 * socket. TCP and IP options, such as {@code tcpNoDelay}, have no effect and are logged; with
 * {@code -Dorg.freshet.strictOptions=true} they are refused. A client that meets a full backlog fails immediately, so
 * set {@code backlog} high enough for bursts.
 *
 * <p>Threading: any thread may call it, but {@code shutdown} and {@code releaseExternalResources} are refused on I/O
 * threads.
 */
public final class NioUnixServerChannelFactory extends PooledFactory implements ServerChannelFactory {
    private final BossPool<NioServerBoss> bosses;
    private final WorkerPool<NioWorker> workers;
    private final ChannelSink sink = new NioServerSink();
    private final ChannelSink childSink = new NioSocketSink(null);

    /** Uses one boss and two workers per processor, on cached thread pools that {@link #shutdown()} also ends. */
    public NioUnixServerChannelFactory() {
        this(LoopStart.DEFAULT_WORKER_COUNT);
    }

    /**
     * Uses one boss and the given number of workers, on cached thread pools that {@link #shutdown()} also ends.
     *
     * @throws IllegalArgumentException if the count is not positive
     */
    public NioUnixServerChannelFactory(int workerCount) {
        this(new NioServerBossPool(Executors.newCachedThreadPool(), 1), workerCount);
    }

    private NioUnixServerChannelFactory(NioServerBossPool bossPool, int workerCount) {
        this(
                bossPool,
                secondPool(bossPool, () -> new NioWorkerPool(Executors.newCachedThreadPool(), workerCount)),
                true);
    }

    /**
     * Uses your own bosses and workers. Other factories can share the workers through a {@link ShareableWorkerPool}.
     */
    public NioUnixServerChannelFactory(BossPool<NioServerBoss> bossPool, WorkerPool<NioWorker> workerPool) {
        this(bossPool, workerPool, false);
    }

    private NioUnixServerChannelFactory(
            BossPool<NioServerBoss> bossPool, WorkerPool<NioWorker> workerPool, boolean ownsExecutors) {
        super(
                Platform.DEFAULT,
                ownsExecutors,
                Objects.requireNonNull(bossPool, "bossPool"),
                Objects.requireNonNull(workerPool, "workerPool"));
        bosses = bossPool;
        workers = workerPool;
    }

    /**
     * Opens a listening socket to bind next. After the shutdown, returns a closed channel whose requests all fail.
     *
     * @throws org.freshet.channel.ChannelException if no socket can be opened, or the system does not support Unix
     *     domain sockets
     */
    @Override
    public ServerChannel newChannel(ChannelPipeline pipeline) {
        ServerSocketChannel socket = NonBlockingSockets.openUnixServer(platform.provider());
        NioListener channel = NewSockets.newChannel(
                socket, () -> new NioUnixListener(this, pipeline, sink, socket, bosses.nextBoss(), workers, childSink));
        channel.open();
        return channel;
    }
}
