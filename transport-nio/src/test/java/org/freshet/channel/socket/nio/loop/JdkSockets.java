package org.freshet.channel.socket.nio.loop;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/** A provider whose sockets are the JDK's. Only its selectors are a test's. */
public abstract class JdkSockets extends SelectorProvider {
    private final SelectorProvider sockets = SelectorProvider.provider();

    @Override
    public final DatagramChannel openDatagramChannel() throws IOException {
        return sockets.openDatagramChannel();
    }

    @Override
    public final DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return sockets.openDatagramChannel(family);
    }

    @Override
    public final Pipe openPipe() throws IOException {
        return sockets.openPipe();
    }

    @Override
    public final ServerSocketChannel openServerSocketChannel() throws IOException {
        return sockets.openServerSocketChannel();
    }

    @Override
    public final SocketChannel openSocketChannel() throws IOException {
        return sockets.openSocketChannel();
    }
}
