package org.freshet.testkit.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Set;

/**
 * A stream socket of a {@link Kernel}.
 *
 * <p>It behaves like the JDK's on Linux. A close sends the end right away, and frees the socket once its selector has
 * forgotten the key. Bytes that arrive for a closed socket, or were unread at its close, are answered with a reset.
 * Data that arrived before a reset can be read.
 */
final class SimulatedSocket extends SocketChannel implements SimulatedKey.Watched {
    private enum State {
        NEW,
        /** Requested; the network will answer. */
        PENDING,
        /** Requested, but never answered. */
        UNANSWERED,
        /** Established, but the socket's owner does not know yet. */
        ESTABLISHED,
        REFUSED,
        CONNECTED
    }

    private final Kernel kernel;
    private final int id;
    private final SocketSettings settings = new SocketSettings();
    private State state = State.NEW;

    /** Null until bound. */
    private InetSocketAddress local;

    /** Null until connect is called. */
    private InetSocketAddress remote;

    /** Null until established; so are the next two. */
    private Pipe in;

    private Pipe out;
    private SimulatedSocket peer;

    /** A fault has ended the connection, or may have lost bytes. */
    private boolean isBroken;

    /** The network doesn't deliver to either end. */
    private boolean isCutOff;

    /** The socket has been freed. */
    private boolean isDead;

    SimulatedSocket(SimulatedProvider provider) {
        super(provider);
        kernel = provider.kernel();
        id = kernel.nextSocketId();
        kernel.onActive(this);
    }

    @Override
    public int id() {
        return id;
    }

    // ---- for checks -------------------------------------------------------------------------------------------------

    /** Null until established. */
    Pipe in() {
        return in;
    }

    /** Null until established. */
    Pipe out() {
        return out;
    }

    boolean isBroken() {
        return isBroken;
    }

    /** Returns whether the other end will neither send nor read any more. */
    boolean isPeerGone() {
        return isBroken || isCutOff || peer != null && !peer.isOpen();
    }

    // ---- the network ------------------------------------------------------------------------------------------------

    boolean isDead() {
        return isDead && (peer == null || peer.isDead);
    }

    boolean canDeliver() {
        if (state == State.PENDING) {
            SimulatedServerSocket listener = kernel.listener(remote);
            return !isDead && (listener == null || !listener.isFull());
        }
        return in != null && !isCutOff && in.canDeliver();
    }

    void deliver() {
        if (state == State.PENDING) {
            answerConnect();
            return;
        }
        if (kernel.fault("reset", kernel.faults().reset())) {
            breakConnection();
        }
        int count = in.deliver(kernel.draw());
        kernel.baton().note("arrives", id, count);
        if (isDead) {
            refuseArrived();
        }
    }

    /** Resets the connection because of bytes that will never be read. */
    private void refuseArrived() {
        if (in.arrived() > 0) {
            in.read(ByteBuffer.allocate(in.arrived()), in.arrived());
            loseOutput();
        }
    }

    private void loseOutput() {
        isBroken = true;
        peer.isBroken = true;
        out.reset();
    }

    /** Resets the connection for both ends. */
    void breakConnection() {
        if (in != null) {
            loseOutput();
            in.reset();
        }
    }

    /** From now on nothing arrives, and neither end learns why. */
    void vanish() {
        isCutOff = true;
        isBroken = true;
        if (peer != null) {
            peer.isCutOff = true;
            peer.isBroken = true;
        }
    }

    /** Called for a connection that is never accepted. */
    void abort() {
        breakConnection();
        try {
            close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answerConnect() {
        SimulatedServerSocket listener = kernel.listener(remote);
        if (listener == null || kernel.fault("refused", kernel.faults().refused())) {
            state = State.REFUSED;
            kernel.baton().note("refused", id, 0);
            return;
        }
        SimulatedSocket accepted = new SimulatedSocket((SimulatedProvider) provider());
        join(accepted, kernel.newPipe(), kernel.newPipe());
        accepted.state = State.CONNECTED;
        accepted.local = remote;
        accepted.remote = local;
        accepted.join(this, out, in);
        state = State.ESTABLISHED;
        kernel.onConnected(this, local, remote);
        kernel.onConnected(accepted, remote, local);
        kernel.baton().note("established", id, accepted.id);
        listener.onConnection(accepted);
    }

    private void join(SimulatedSocket other, Pipe incoming, Pipe outgoing) {
        peer = other;
        in = incoming;
        out = outgoing;
    }

    // ---- connecting -------------------------------------------------------------------------------------------------

    @Override
    public SocketChannel bind(SocketAddress address) throws IOException {
        requireOpen();
        local = kernel.bind(address);
        return this;
    }

    @Override
    public boolean connect(SocketAddress address) throws IOException {
        kernel.baton().pass();
        requireOpen();
        remote = Kernel.checked(address);
        switch (state) {
            case NEW -> {}
            case CONNECTED -> throw new AlreadyConnectedException();
            default -> throw new ConnectionPendingException();
        }
        if (local == null) {
            local = kernel.bind(null);
        }
        state = kernel.fault("unanswered", kernel.faults().unanswered()) ? State.UNANSWERED : State.PENDING;
        kernel.baton().note("connect", id, remote.getPort());
        if (state == State.PENDING && kernel.draw().oneIn(4) && canDeliver()) {
            answerConnect();
            return finishConnect();
        }
        return false;
    }

    @Override
    public boolean finishConnect() throws IOException {
        kernel.baton().pass();
        requireOpen();
        switch (state) {
            case NEW -> throw new NoConnectionPendingException();
            case PENDING, UNANSWERED -> {
                return false;
            }
            case REFUSED -> {
                kernel.onProgress();
                close();
                throw new ConnectException("Connection refused");
            }
            case ESTABLISHED -> {
                kernel.onProgress();
                state = State.CONNECTED;
                return true;
            }
            default -> {
                return true;
            }
        }
    }

    @Override
    public boolean isConnected() {
        return state == State.CONNECTED;
    }

    @Override
    public boolean isConnectionPending() {
        return state != State.NEW && state != State.CONNECTED;
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return local;
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        return state == State.CONNECTED ? remote : null;
    }

    // ---- reading and writing ----------------------------------------------------------------------------------------

    @Override
    public int readiness() {
        return switch (state) {
            case ESTABLISHED, REFUSED -> SelectionKey.OP_CONNECT;
            case CONNECTED -> (in.isReadable() ? SelectionKey.OP_READ : 0) | (isWritable() ? SelectionKey.OP_WRITE : 0);
            default -> 0;
        };
    }

    private boolean isWritable() {
        return out.room() > 0 || out.isEnded() || in.hasResetArrived();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        kernel.baton().pass();
        requireConnected();
        int count = readNow(target);
        kernel.baton().note("read", id, count);
        return count;
    }

    private int readNow(ByteBuffer target) throws IOException {
        if (in.arrived() > 0) {
            kernel.onProgress();
            int most = Math.min(in.arrived(), target.remaining());
            int count = kernel.fault("short read", kernel.faults().shortRead())
                    ? kernel.draw().between(1, most)
                    : most;
            in.read(target, count);
            return count;
        }
        if (in.hasResetArrived()) {
            kernel.onProgress();
            throw new SocketException("Connection reset");
        }
        if (in.isAtEnd()) {
            in.onEndRead();
            return -1;
        }
        return 0;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        kernel.baton().pass();
        requireConnected();
        if (out.isEnded()) {
            throw new ClosedChannelException();
        }
        if (in.hasResetArrived()) {
            throw new IOException("Broken pipe");
        }
        if (kernel.fault("no buffers", kernel.faults().noBuffers())) {
            isBroken = true;
            peer.isBroken = true;
            throw new IOException("No buffer space available");
        }
        int most = Math.min(out.room(), source.remaining());
        int count = most == 0 || kernel.fault("zero write", kernel.faults().zeroWrite())
                ? 0
                : kernel.fault("short write", kernel.faults().shortWrite())
                        ? kernel.draw().between(1, most)
                        : most;
        out.send(source, count);
        if (count > 0 || most > 0) {
            kernel.onProgress();
        }
        kernel.baton().note("write", id, count);
        kernel.baton().pass();
        return count;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException("the transport reads into one buffer");
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new UnsupportedOperationException("the transport writes from one buffer");
    }

    @Override
    public SocketChannel shutdownInput() {
        throw new UnsupportedOperationException("the transport does not shut inputs down");
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        kernel.baton().pass();
        requireConnected();
        if (in.hasResetArrived()) {
            throw new SocketException("Transport endpoint is not connected");
        }
        out.end();
        kernel.onProgress();
        kernel.baton().note("ends output", id, 0);
        return this;
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private void requireConnected() throws ClosedChannelException {
        requireOpen();
        if (state != State.CONNECTED) {
            throw new NotYetConnectedException();
        }
    }

    // ---- options ----------------------------------------------------------------------------------------------------

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
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
        return Set.of(StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_SNDBUF);
    }

    @Override
    public Socket socket() {
        throw new UnsupportedOperationException("the transport uses the channel");
    }

    // ---- the end ----------------------------------------------------------------------------------------------------

    @Override
    protected void implCloseSelectableChannel() {
        kernel.onProgress();
        kernel.baton().note("close", id, 0);
        if (out != null) {
            out.end();
        }
        if (!isRegistered()) {
            onDeregistered();
        }
    }

    /** Frees the socket if it was closed. */
    @Override
    public void onDeregistered() {
        if (isOpen() || isDead) {
            return;
        }
        isDead = true;
        kernel.onClosed();
        kernel.baton().note("closed", id, 0);
        if (in != null) {
            out.end();
            refuseArrived();
        }
    }

    @Override
    protected void implConfigureBlocking(boolean isBlocking) {}
}
