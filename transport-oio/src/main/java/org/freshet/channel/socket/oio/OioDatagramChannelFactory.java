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
 * Makes UDP channels, each with a thread that receives and runs its handlers; sending happens on the caller's thread.
 *
 * <p>The executor must have a thread for every bound channel at once: a cached pool will do, a pool of a fixed size will not.
 *
 * <p>Threading: any thread, but the two ending methods are refused on I/O threads.
 */
public class OioDatagramChannelFactory extends OioFactory implements DatagramChannelFactory {
    private final ThreadStarter threads;

    /**
     * Runs channels on a cached pool of platform threads, which keep the JVM alive until the channels are closed; {@link
     * #shutdown()} ends it.
     */
    public OioDatagramChannelFactory() {
        this(ThreadStarter.platform());
    }

    /** Uses the executor's threads under names of Freshet's. */
    public OioDatagramChannelFactory(Executor workerExecutor) {
        this(workerExecutor, null);
    }

    /**
     * Uses the executor's threads.
     *
     * @param determiner chooses the names of threads; null for the choice of {@link
     *     org.freshet.util.ThreadRenamingRunnable#getThreadNameDeterminer()}
     */
    public OioDatagramChannelFactory(Executor workerExecutor, ThreadNameDeterminer determiner) {
        this(ThreadStarter.of(workerExecutor, "workerExecutor", determiner));
    }

    private OioDatagramChannelFactory(ThreadStarter threads) {
        super("oio-datagram", threads);
        this.threads = threads;
    }

    /**
     * Opens a socket, to be bound or connected next. After the shutdown, returns a closed channel whose requests all fail.
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
            throw new ChannelException("the system grants no datagram socket", e);
        }
    }
}
