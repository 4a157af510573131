package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.util.concurrent.Executor;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.socket.DatagramChannel;
import org.freshet.channel.socket.DatagramChannelFactory;
import org.freshet.internal.transport.NewSockets;
import org.freshet.util.ThreadNameDeterminer;

/**
 * Makes UDP channels. Each has a thread that receives and runs its handlers; sending happens on the caller's thread.
 *
 * <p>The executor needs a thread for every concurrent bound channel: a cached pool will do, a pool of fixed size will
 * not.
 *
 * <p>Threading: any thread may call it, but {@code shutdown} and {@code releaseExternalResources} are refused on I/O
 * threads.
 */
public class OioDatagramChannelFactory extends OioFactory implements DatagramChannelFactory {
    private final ThreadStarter threads;

    /**
     * Runs channels on a cached pool of platform threads, which keep the JVM alive until the channels are closed.
     * {@link #shutdown()} ends the pool.
     */
    public OioDatagramChannelFactory() {
        this(ThreadStarter.platform());
    }

    /** Uses the executor's threads, named by Freshet. */
    public OioDatagramChannelFactory(Executor workerExecutor) {
        this(workerExecutor, null);
    }

    /**
     * Uses the executor's threads.
     *
     * @param determiner chooses the names of threads; null uses
     *     {@link org.freshet.util.ThreadRenamingRunnable#getThreadNameDeterminer()}
     */
    public OioDatagramChannelFactory(Executor workerExecutor, ThreadNameDeterminer determiner) {
        this(ThreadStarter.of(workerExecutor, "workerExecutor", determiner));
    }

    private OioDatagramChannelFactory(ThreadStarter threads) {
        super("oio-datagram", threads);
        this.threads = threads;
    }

    /**
     * Opens a socket to bind or connect next. After the shutdown, returns a closed channel whose requests all fail.
     *
     * @throws ChannelException if no socket can be opened
     */
    @Override
    public DatagramChannel newChannel(ChannelPipeline pipeline) {
        OioDatagramChannel channel = open(pipeline);
        return opened(channel);
    }

    private OioDatagramChannel open(ChannelPipeline pipeline) {
        java.nio.channels.DatagramChannel socket = null;
        try {
            socket = java.nio.channels.DatagramChannel.open();
            socket.configureBlocking(false);
            return new OioDatagramChannel(this, pipeline, socket, live(), threads);
        } catch (IOException e) {
            if (socket != null) {
                NewSockets.closeAfter(e, socket);
            }
            throw new ChannelException("could not open a datagram socket", e);
        }
    }
}
