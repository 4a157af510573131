package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;

/**
 * A connection over a Unix domain socket, accepted or made. Its addresses are
 * {@link java.net.UnixDomainSocketAddress}es; an unbound client has an empty path.
 *
 * <p>Threading: as in {@link NioStreamChannel}.
 */
final class NioUnixChannel extends NioStreamChannel {
    /** Loop only. The file of a bound client; usually null. */
    private SocketFile file;

    /** Creates a connection to be made. */
    NioUnixChannel(
            ChannelFactory factory,
            ChannelPipeline pipeline,
            ChannelSink sink,
            SocketChannel socket,
            NioWorker worker) {
        super(factory, pipeline, sink, socket, new NioUnixConfig(socket), worker);
    }

    /**
     * Creates a connection that {@code parent} has accepted.
     *
     * @throws IOException if the socket is closed
     */
    NioUnixChannel(Channel parent, ChannelPipeline pipeline, ChannelSink sink, SocketChannel accepted, NioWorker worker)
            throws IOException {
        super(parent, pipeline, sink, accepted, new NioUnixConfig(accepted), worker);
    }

    @Override
    void bind(SocketChannel socket, SocketAddress address) throws IOException {
        file = SocketFile.bind(address, socket::bind);
    }

    @Override
    void onUnbound() {
        if (file != null) {
            file.delete();
        }
    }
}
