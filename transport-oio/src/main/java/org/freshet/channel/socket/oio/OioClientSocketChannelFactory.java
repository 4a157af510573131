package org.freshet.channel.socket.oio;

import java.net.Socket;
import java.util.concurrent.Executor;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.socket.ClientSocketChannelFactory;
import org.freshet.channel.socket.SocketChannel;
import org.freshet.internal.transport.NewSockets;
import org.freshet.util.ThreadNameDeterminer;

/**
 * Makes TCP connections with blocking I/O: a thread for each connects, reads and runs its handlers.
 *
 * <p>The executor must have a thread for every channel at once, or those that get none wait until another one closes: a
 * cached pool or a virtual thread for each task will do, a pool of a fixed size will not.
 *
 * <p>Do not interrupt these threads: where they are virtual, which is the default from Java 21 on, the JDK closes the socket that
 * an interrupted thread is blocked in.
 *
 * <pre>{@code
 * ClientBootstrap bootstrap = new ClientBootstrap(new OioClientSocketChannelFactory());
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
 * <p>Threading: any thread, but the two ending methods are refused on I/O threads.
 */
public class OioClientSocketChannelFactory extends OioFactory implements ClientSocketChannelFactory {
    private final ThreadStarter threads;

    /**
     * Runs connections on virtual threads where the JVM has them (Java 21 and later), else on a cached pool, which {@link
     * #shutdown()} ends. Virtual threads do not keep the JVM alive: a program whose main method returns while it is connected
     * has to wait for a {@link org.freshet.channel.Channel#getCloseFuture() close future}, or to give an executor.
     */
    public OioClientSocketChannelFactory() {
        this(ThreadStarter.cheapest());
    }

    /** Uses the executor's threads under names of Freshet's. */
    public OioClientSocketChannelFactory(Executor workerExecutor) {
        this(workerExecutor, null);
    }

    /**
     * Uses the executor's threads.
     *
     * @param determiner chooses the names of threads; null for the choice of {@link
     *     org.freshet.util.ThreadRenamingRunnable#getThreadNameDeterminer()}
     */
    public OioClientSocketChannelFactory(Executor workerExecutor, ThreadNameDeterminer determiner) {
        this(ThreadStarter.of(workerExecutor, "workerExecutor", determiner));
    }

    private OioClientSocketChannelFactory(ThreadStarter threads) {
        super("oio-client", threads);
        this.threads = threads;
    }

    /**
     * Opens a socket, to be connected next. After the shutdown, returns a closed channel whose requests all fail.
     *
     * @throws org.freshet.channel.ChannelException if no socket can be opened
     */
    @Override
    public SocketChannel newChannel(ChannelPipeline pipeline) {
        Socket socket = BlockingSockets.openClient();
        OioSocketChannel channel = NewSockets.newChannel(
                socket, () -> new OioSocketChannel(null, this, pipeline, OioSink.INSTANCE, socket, live(), threads));
        return opened(channel);
    }
}
