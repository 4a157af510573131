package org.freshet.testkit.simulation;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;

/**
 * A listening socket of a {@link Kernel}. Like the JDK's, it continues to listen after a close until its selector has
 * forgotten it.
 */
final class SimulatedServerSocket extends ServerSocketChannel implements SimulatedKey.Watched {
    private static final int DEFAULT_BACKLOG = 50;

    private final Kernel kernel;
    private final int id;
    private final SocketSettings settings = new SocketSettings();
    private final Queue<SimulatedSocket> waiting = new ArrayDeque<>();
    private int backlog;
    private boolean isDead;

    /** Null until bound. */
    private InetSocketAddress local;

    SimulatedServerSocket(SimulatedProvider provider) {
        super(provider);
        kernel = provider.kernel();
        id = kernel.nextSocketId();
    }

    @Override
    public int id() {
        return id;
    }

    boolean isFull() {
        return waiting.size() >= backlog;
    }

    void onConnection(SimulatedSocket accepted) {
        waiting.add(accepted);
    }

    @Override
    public int readiness() {
        return waiting.isEmpty() ? 0 : SelectionKey.OP_ACCEPT;
    }

    @Override
    public ServerSocketChannel bind(SocketAddress address, int backlog) throws IOException {
        requireOpen();
        local = kernel.bind(address);
        this.backlog = backlog > 0 ? backlog : DEFAULT_BACKLOG;
        kernel.listen(this, local.getPort());
        kernel.baton().note("listen", id, local.getPort());
        return this;
    }

    @Override
    public SocketChannel accept() throws IOException {
        kernel.baton().pass();
        requireOpen();
        if (local == null) {
            throw new NotYetBoundException();
        }
        if (waiting.isEmpty()) {
            return null;
        }
        kernel.onProgress();
        kernel.onOpen();
        if (kernel.fault("late accept", kernel.faults().lateAccept())) {
            return null;
        }
        SimulatedSocket accepted = waiting.remove();
        if (kernel.fault("aborted accept", kernel.faults().abortedAccept())) {
            accepted.abort();
            throw new IOException("Software caused connection abort");
        }
        kernel.baton().note("accept", id, accepted.id());
        return accepted;
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return local;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        requireOpen();
        settings.set(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        requireOpen();
        return settings.get(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of(StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public ServerSocket socket() {
        throw new UnsupportedOperationException("the transport uses the channel");
    }

    @Override
    protected void implCloseSelectableChannel() {
        kernel.onProgress();
        if (!isRegistered()) {
            onDeregistered();
        }
    }

    @Override
    public void onDeregistered() {
        if (isOpen() || isDead) {
            return;
        }
        isDead = true;
        kernel.onClosed();
        kernel.baton().note("closed", id, 0);
        if (local != null) {
            kernel.endListening(this, local.getPort());
        }
        waiting.forEach(SimulatedSocket::abort);
        waiting.clear();
    }

    @Override
    protected void implConfigureBlocking(boolean isBlocking) {}
}
