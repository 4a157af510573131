package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;

/** A listening Unix domain socket. Threading: as {@link NioListener}. */
final class NioUnixListener extends NioListener {
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
        file = SocketFile.bind(address, path -> socket.bind(path, backlog));
    }

    @Override
    void onUnbound() {
        if (file != null) {
            file.delete();
        }
    }
}
