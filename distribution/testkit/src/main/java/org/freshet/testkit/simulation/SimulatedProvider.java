package org.freshet.testkit.simulation;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/** Opens the selectors and TCP sockets of a {@link Kernel}. */
final class SimulatedProvider extends SelectorProvider {
    private final Kernel kernel;

    SimulatedProvider(Kernel kernel) {
        this.kernel = kernel;
    }

    Kernel kernel() {
        return kernel;
    }

    @Override
    public AbstractSelector openSelector() {
        return new SimulatedSelector(this);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        kernel.onOpen();
        return new SimulatedServerSocket(this);
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        kernel.onOpen();
        return new SimulatedSocket(this);
    }

    @Override
    public DatagramChannel openDatagramChannel() {
        throw new UnsupportedOperationException("only TCP is simulated");
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) {
        return openDatagramChannel();
    }

    @Override
    public Pipe openPipe() {
        throw new UnsupportedOperationException("only TCP is simulated");
    }
}
