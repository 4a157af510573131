package org.freshet.channel.socket.oio;

import java.net.Socket;
import java.util.concurrent.Executor;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.socket.ClientSocketChannelFactory;
import org.freshet.channel.socket.SocketChannel;
import org.freshet.internal.transport.NewSockets;
import org.freshet.util.ThreadNameDeterminer;

/**
 * Makes TCP connections with blocking I/O. Each has a thread that connects, reads and runs its handlers.
 *
 * <p>The executor needs a thread for every concurrent channel; a channel without one waits until another closes. A
 * cached pool or a virtual thread per task will do, a pool of fixed size will not.
 *
 * <p>Don't interrupt these threads. If they are virtual, the default from Java 21 on, the JDK closes the socket that an
 * interrupted thread is blocked in.
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
 * <p>Threading: any thread may call it, but {@code shutdown} and {@code releaseExternalResources} are refused on I/O
 * threads.
 */
public class OioClientSocketChannelFactory extends OioFactory implements ClientSocketChannelFactory {
    private final ThreadStarter threads;

    /**
     * Runs connections on virtual threads where the JVM has them (Java 21 and later), otherwise on a cached pool that
     * {@link #shutdown()} ends. Virtual threads don't keep the JVM alive: if your main method returns while connected,
     * wait for a {@link org.freshet.channel.Channel#getCloseFuture() close future} first, or pass an executor.
     */
    public OioClientSocketChannelFactory() {
        this(ThreadStarter.cheapest());
    }

    /** Uses the executor's threads, named by Freshet. */
    public OioClientSocketChannelFactory(Executor workerExecutor) {
        this(workerExecutor, null);
    }

    /**
     * Uses the executor's threads.
     *
     * @param determiner chooses the names of threads; null uses
     *     {@link org.freshet.util.ThreadRenamingRunnable#getThreadNameDeterminer()}
     */
    public OioClientSocketChannelFactory(Executor workerExecutor, ThreadNameDeterminer determiner) {
        this(ThreadStarter.of(workerExecutor, "workerExecutor", determiner));
    }

    private OioClientSocketChannelFactory(ThreadStarter threads) {
        super("oio-client", threads);
        this.threads = threads;
    }

    /**
     * Opens a socket to connect next. After the shutdown, returns a closed channel whose requests all fail.
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
