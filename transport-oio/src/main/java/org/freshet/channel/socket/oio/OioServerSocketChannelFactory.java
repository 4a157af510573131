package org.freshet.channel.socket.oio;

import java.net.ServerSocket;
import java.util.concurrent.Executor;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.socket.ServerSocketChannel;
import org.freshet.channel.socket.ServerSocketChannelFactory;
import org.freshet.internal.transport.NewSockets;
import org.freshet.util.ThreadNameDeterminer;

/**
 * Makes listening TCP sockets with blocking I/O: a thread of the boss executor accepts for each of them, and a thread of the
 * worker executor reads each connection and runs its handlers.
 *
 * <p>An executor must have a thread for every channel at once, or those that get none wait until another one closes: a
 * cached pool or a virtual thread for each task will do, a pool of a fixed size will not.
 *
 * <p>Do not interrupt these threads: where they are virtual, which is the default from Java 21 on, the JDK closes the socket that
 * an interrupted thread is blocked in.
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
 * <p>Threading: any thread, but the two ending methods are refused on I/O threads.
 */
public class OioServerSocketChannelFactory extends OioFactory implements ServerSocketChannelFactory {
    private final ThreadStarter workers;
    private final OioServerSink sink;

    /**
     * Runs connections on virtual threads where the JVM has them (Java 21 and later), else on a cached pool. Each server accepts
     * on a platform thread, which keeps the JVM alive until the server is closed. All of them end with {@link #shutdown()}.
     */
    public OioServerSocketChannelFactory() {
        this(ThreadStarter.platform(), ThreadStarter.cheapest());
    }

    /** Uses the executors' threads under names of Freshet's. */
    public OioServerSocketChannelFactory(Executor bossExecutor, Executor workerExecutor) {
        this(bossExecutor, workerExecutor, null);
    }

    /**
     * Uses the executors' threads.
     *
     * @param determiner chooses the names of threads; null for the choice of {@link
     *     org.freshet.util.ThreadRenamingRunnable#getThreadNameDeterminer()}
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
     * Opens a listening socket, to be bound next. After the shutdown, returns a closed channel whose requests all fail.
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
