package org.freshet.channel.socket.oio;

import java.net.ServerSocket;
import java.util.concurrent.Executor;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.socket.ServerSocketChannel;
import org.freshet.channel.socket.ServerSocketChannelFactory;
import org.freshet.internal.transport.NewSockets;
import org.freshet.util.ThreadNameDeterminer;

/**
 * Makes listening TCP sockets with blocking I/O. A thread of the boss executor accepts for each of them, and a thread
 * of the worker executor reads each connection and runs its handlers.
 *
 * <p>An executor needs a thread for every concurrent channel; a channel without one waits until another closes. A
 * cached pool or a virtual thread per task will do, a pool of fixed size will not.
 *
 * <p>Don't interrupt these threads. If they are virtual, the default from Java 21 on, the JDK closes the socket that an
 * interrupted thread is blocked in.
 *
 * <pre>{@code
 * ServerBootstrap bootstrap = new ServerBootstrap(new OioServerSocketChannelFactory());
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(new MyHandler())); // may block
 * Channel server = bootstrap.bind(new InetSocketAddress(8080));
 * ...
 * server.close().awaitUninterruptibly();
 * bootstrap.releaseExternalResources(); // closes the connections and ends the threads
 * }</pre>
 *
 * <p>Threading: any thread may call it, but {@code shutdown} and {@code releaseExternalResources} are refused on I/O
 * threads.
 */
public class OioServerSocketChannelFactory extends OioFactory implements ServerSocketChannelFactory {
    private final ThreadStarter workers;
    private final OioServerSink sink;

    /**
     * Runs connections on virtual threads where the JVM has them (Java 21 and later), otherwise on a cached pool. Each
     * server accepts on a platform thread, which keeps the JVM alive until the server is closed. {@link #shutdown()}
     * ends all of them.
     */
    public OioServerSocketChannelFactory() {
        this(ThreadStarter.platform(), ThreadStarter.cheapest());
    }

    /** Uses the executors' threads, named by Freshet. */
    public OioServerSocketChannelFactory(Executor bossExecutor, Executor workerExecutor) {
        this(bossExecutor, workerExecutor, null);
    }

    /**
     * Uses the executors' threads.
     *
     * @param determiner chooses the names of threads; null uses
     *     {@link org.freshet.util.ThreadRenamingRunnable#getThreadNameDeterminer()}
     */
    public OioServerSocketChannelFactory(
            Executor bossExecutor, Executor workerExecutor, ThreadNameDeterminer determiner) {
        this(
                ThreadStarter.of(bossExecutor, "bossExecutor", determiner),
                ThreadStarter.of(workerExecutor, "workerExecutor", determiner));
    }

    private OioServerSocketChannelFactory(ThreadStarter bosses, ThreadStarter workers) {
        super("oio-server", bosses, workers);
        this.workers = workers;
        sink = new OioServerSink(bosses);
    }

    /**
     * Opens a listening socket to bind next. After the shutdown, returns a closed channel whose requests all fail.
     *
     * @throws org.freshet.channel.ChannelException if no socket can be opened
     */
    @Override
    public ServerSocketChannel newChannel(ChannelPipeline pipeline) {
        ServerSocket socket = BlockingSockets.openServer();
        OioServerSocketChannel channel = NewSockets.newChannel(
                socket, () -> new OioServerSocketChannel(this, pipeline, sink, socket, live(), workers));
        return opened(channel);
    }
}
