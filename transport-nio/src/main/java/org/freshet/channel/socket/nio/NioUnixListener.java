package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** A listening Unix domain socket. Threading: as in {@link NioListener}. */
final class NioUnixListener extends NioListener {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(NioUnixListener.class);

    /** Boss only. Null until bound. */
    private SocketFile file;

    NioUnixListener(
            ChannelFactory factory,
            ChannelPipeline pipeline,
            ChannelSink sink,
            ServerSocketChannel socket,
            NioServerBoss boss,
            WorkerPool<NioWorker> workers,
            ChannelSink childSink) {
        super(factory, pipeline, sink, socket, new NioUnixServerConfig(socket), boss, workers, childSink);
    }

    @Override
    NioStreamChannel newChild(ChannelPipeline pipeline, ChannelSink sink, SocketChannel accepted, NioWorker worker)
            throws IOException {
        return new NioUnixChannel(this, pipeline, sink, accepted, worker);
    }

    @Override
    void bind(ServerSocketChannel socket, SocketAddress address, int backlog) throws IOException {
        warnOfEncoding();
        file = SocketFile.bind(address, path -> socket.bind(path, backlog));
    }

    /**
     * The JDK's accept fails, and leaks the file descriptor, if the path that the peer is bound to cannot be a
     * {@link Path}. Malformed bytes become U+FFFD.
     */
    private static void warnOfEncoding() {
        try {
            Path.of("\uFFFD");
        } catch (InvalidPathException e) {
            logger.warn("a local client bound to a non-ASCII path can keep this server from accepting:"
                    + " start the JVM with a UTF-8 locale, such as LC_ALL=C.UTF-8, instead of "
                    + System.getProperty("sun.jnu.encoding") + ".");
        }
    }

    /**
     * Deletes the file while the socket still listens. Afterwards another process could consider the file stale and
     * replace it, and this would delete the replacement.
     */
    @Override
    void onUnbinding() {
        if (file != null) {
            file.delete();
        }
    }
}
