package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.socket.DatagramChannelConfig;
import org.freshet.channel.socket.DefaultDatagramChannelConfig;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.transport.Datagrams;
import org.freshet.internal.transport.SecondBindException;

/**
 * A UDP socket with its own thread for receiving.
 *
 * <p>Threading: as in {@link OioChannel}. Everything but receiving happens on the caller's thread. The I/O thread
 * starts when the channel is bound or connected. It waits in a selector rather than in {@code receive}, which would
 * hold a lock that connecting and disconnecting need.
 */
final class OioDatagramChannel extends OioChannel implements org.freshet.channel.socket.DatagramChannel {
    /**
     * OPEN until bound; BOUND, with an I/O thread, from then on; CLOSED permanently. Any thread may change it, in one
     * atomic step.
     */
    enum Phase {
        OPEN,
        BOUND,
        CLOSED
    }

    private record Membership(InetAddress group, NetworkInterface networkInterface) {}

    /** The same settings as the NIO channel's. */
    private static final class Config extends DefaultDatagramChannelConfig {
        Config(DatagramChannel socket) {
            super(socket);
        }

        @Override
        protected ReceiveBufferSizePredictor explicitReceiveBufferSizePredictor() {
            return super.explicitReceiveBufferSizePredictor();
        }
    }

    /**
     * How long to wait for space when the system's send buffer is full. Nothing signals when the network has drained
     * it.
     */
    private static final long RETRY_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final VarHandle PHASE;

    static {
        try {
            PHASE = MethodHandles.lookup().findVarHandle(OioDatagramChannel.class, "phase", Phase.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final DatagramChannel socket;
    private final DatagramReader reader;
    private final Config config;
    private final ThreadStarter threads;
    private final Map<Membership, MembershipKey> memberships = new ConcurrentHashMap<>();

    private volatile Phase phase = Phase.OPEN;

    /** Null while not connected. */
    private volatile InetSocketAddress remoteAddress;

    /**
     * Creates a channel whose thread is started later.
     *
     * @param socket non-blocking
     */
    OioDatagramChannel(
            ChannelFactory factory,
            ChannelPipeline pipeline,
            DatagramChannel socket,
            LiveChannels live,
            ThreadStarter threads)
            throws IOException {
        super(null, factory, pipeline, OioSink.INSTANCE, live);
        this.socket = socket;
        this.threads = threads;
        config = new Config(socket);
        reader = new DatagramReader(this, socket);
    }

    @Override
    public DatagramChannelConfig getConfig() {
        return config;
    }

    /** Returns the user's limit for the size of a datagram, or null. */
    ReceiveBufferSizePredictor explicitPredictor() {
        return config.explicitReceiveBufferSizePredictor();
    }

    @Override
    public boolean isBound() {
        return phase == Phase.BOUND;
    }

    @Override
    public boolean isConnected() {
        return phase == Phase.BOUND && remoteAddress != null;
    }

    @Override
    boolean isClosing() {
        return phase == Phase.CLOSED;
    }

    @Override
    void readToEnd() throws IOException {
        reader.run();
    }

    @Override
    boolean mayReceive() {
        return phase == Phase.BOUND;
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return remoteAddress;
    }

    // ---- opening ----------------------------------------------------------------------------------------------------

    @Override
    void bind(ChannelFuture future, SocketAddress address) {
        try {
            refuseClosed();
            if (phase == Phase.BOUND) {
                throw new SecondBindException(getLocalAddress());
            }
            socket.bind(address);
            startReceiving();
        } catch (IOException | RuntimeException e) {
            fail(future, e);
            return;
        }
        future.setSuccess();
    }

    /** Called after the socket got its address: fires channelBound, then receives. */
    private void startReceiving() throws IOException {
        rememberLocalAddress(socket.getLocalAddress());
        if (!PHASE.compareAndSet(this, Phase.OPEN, Phase.BOUND)) {
            throw ChannelClosedException.of(this);
        }
        serialExecutor().execute(this::announceBound);
        try {
            startIoThread(threads, "datagrams", () -> {});
        } catch (Throwable e) { // refused, or no thread could be created
            closeNow(CloseReason.of(CloseReason.Kind.BIND_FAILED, null, e));
            announceEndWithoutThread();
            throw e;
        }
    }

    private void refuseClosed() throws ClosedChannelException {
        if (phase == Phase.CLOSED) {
            throw ChannelClosedException.of(this);
        }
    }

    /** From now on the channel exchanges datagrams with one peer only. */
    @Override
    void connect(ChannelFuture future, SocketAddress remote) {
        try {
            refuseClosed();
            refuseUnresolved(remote);
            socket.connect(remote);
            remoteAddress = (InetSocketAddress) remote;
            if (phase == Phase.OPEN) {
                startReceiving();
            } else {
                rememberLocalAddress(
                        socket.getLocalAddress()); // connecting replaces a wildcard with an interface's address
            }
        } catch (IOException | RuntimeException e) {
            fail(future, e);
            return;
        }
        future.setSuccess();
        serialExecutor().execute(() -> announceConnected(remote));
    }

    @Override
    void disconnect(ChannelFuture future) {
        try {
            refuseClosed();
            socket.disconnect();
            if (phase == Phase.BOUND) {
                rememberLocalAddress(socket.getLocalAddress());
            }
        } catch (IOException e) {
            fail(future, e);
            return;
        }
        remoteAddress = null;
        future.setSuccess();
        serialExecutor().execute(this::announceDisconnected);
    }

    // ---- sending ----------------------------------------------------------------------------------------------------

    /** Sends a datagram. If it cannot be sent, only its own future fails. */
    @Override
    void write(MessageEvent event) {
        int sent;
        try {
            sent = send(event.getMessage(), event.getRemoteAddress());
        } catch (IOException | RuntimeException e) {
            UnsentMessage.fail(event, explain(e));
            return;
        }
        event.getFuture().setSuccess();
        reportSent(sent);
    }

    private int send(Object message, SocketAddress to) throws IOException {
        refuseClosed();
        if (!(message instanceof ChannelBuffer buffer)) {
            throw new IllegalArgumentException("the message is not a ChannelBuffer, an encoder is missing: "
                    + (message == null ? "null" : message.getClass().getName()));
        }
        if (phase == Phase.OPEN) {
            throw new NotYetBoundException();
        }
        if (to == null && remoteAddress == null) {
            throw new NotYetConnectedException();
        }
        refuseUnresolved(to);
        ByteBuffer bytes = buffer.toByteBuffer(buffer.readerIndex(), buffer.readableBytes());
        int length = bytes.remaining();
        while (trySend(bytes, to) < length) {
            LockSupport.parkNanos(this, RETRY_NANOS);
        }
        return length;
    }

    /** Sends the whole datagram, or nothing if the system has no space. */
    private int trySend(ByteBuffer bytes, SocketAddress to) throws IOException {
        return to == null ? socket.write(bytes) : socket.send(bytes, to);
    }

    private static void refuseUnresolved(SocketAddress address) throws UnknownHostException {
        if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new UnknownHostException("unresolved address: " + inet.getHostString() + ":" + inet.getPort());
        }
    }

    // ---- multicast --------------------------------------------------------------------------------------------------

    @Override
    public ChannelFuture joinGroup(InetAddress multicastAddress) {
        try {
            return join(multicastAddress, Datagrams.multicastInterface(this));
        } catch (IOException | RuntimeException e) {
            return Channels.failedFuture(this, e);
        }
    }

    @Override
    public ChannelFuture joinGroup(InetSocketAddress multicastAddress, NetworkInterface networkInterface) {
        return join(multicastAddress.getAddress(), networkInterface);
    }

    private ChannelFuture join(InetAddress group, NetworkInterface networkInterface) {
        Objects.requireNonNull(networkInterface, "networkInterface");
        try {
            memberships.put(new Membership(group, networkInterface), socket.join(group, networkInterface));
            return Channels.succeededFuture(this);
        } catch (IOException | RuntimeException e) {
            return Channels.failedFuture(this, explain(e));
        }
    }

    @Override
    public ChannelFuture leaveGroup(InetAddress multicastAddress) {
        try {
            return leave(multicastAddress, Datagrams.multicastInterface(this));
        } catch (IOException | RuntimeException e) {
            return Channels.failedFuture(this, e);
        }
    }

    @Override
    public ChannelFuture leaveGroup(InetSocketAddress multicastAddress, NetworkInterface networkInterface) {
        return leave(multicastAddress.getAddress(), networkInterface);
    }

    private ChannelFuture leave(InetAddress group, NetworkInterface networkInterface) {
        Objects.requireNonNull(networkInterface, "networkInterface");
        MembershipKey key = memberships.remove(new Membership(group, networkInterface));
        if (key == null) {
            return Channels.failedFuture(
                    this,
                    new IllegalArgumentException("not a member of " + group + " on " + networkInterface.getName()));
        }
        key.drop();
        return Channels.succeededFuture(this);
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    @Override
    void closeNow(CloseReason reason) {
        setClosing(reason);
        if (phase == Phase.CLOSED) {
            return;
        }
        SocketClose socketClose = new SocketClose(this::closeSocket, this::reportLater);
        Phase before = (Phase) PHASE.getAndSet(this, Phase.CLOSED);
        if (before == Phase.CLOSED) {
            return;
        }
        socketClose.run();
        try {
            setClosed();
        } finally {
            wakeIoThread();
            if (before == Phase.OPEN) {
                announceEndWithoutThread();
            }
        }
    }

    private void closeSocket() throws IOException {
        socket.close();
        reader.close(); // releases the socket and ends the I/O thread's wait
    }
}
