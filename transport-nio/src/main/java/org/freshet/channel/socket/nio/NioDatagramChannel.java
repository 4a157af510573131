package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireChannelBound;
import static org.freshet.channel.Channels.fireChannelConnected;
import static org.freshet.channel.Channels.fireChannelDisconnected;
import static org.freshet.channel.Channels.fireExceptionCaught;
import static org.freshet.channel.Channels.fireMessageReceived;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.Channels;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.socket.nio.receive.DatagramReceiver;
import org.freshet.channel.socket.nio.receive.Memberships;
import org.freshet.channel.socket.nio.send.FlushTotal;
import org.freshet.channel.socket.nio.send.SendResult;
import org.freshet.channel.socket.nio.send.WriteQueue;
import org.freshet.internal.metering.TrafficMeter;
import org.freshet.internal.transport.Datagrams;
import org.freshet.internal.transport.SecondBindException;
import org.freshet.internal.write.OutgoingMessage;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A UDP socket, driven by one {@link NioDatagramWorker}.
 *
 * <p>A message must be a {@link org.freshet.buffer.ChannelBuffer} and is sent as one datagram. If it cannot be sent,
 * only its own future fails. Errors that the network reports about earlier datagrams, such as
 * {@link PortUnreachableException} while connected, arrive as exceptionCaught and do not close the channel.
 *
 * <p>Datagrams of any size are received whole, unless the user sets a predictor. Then its prediction is the limit, and
 * a larger datagram is dropped and reported by exceptionCaught.
 *
 * <p>Threading: any thread may call public methods. Methods named {@code onX} run on the worker, which alone changes
 * the phase and touches the socket.
 */
public final class NioDatagramChannel extends NioChannel implements org.freshet.channel.socket.DatagramChannel {
    /**
     * OPEN until bound, by a bind or a connect; CLOSED permanently. The channel is connected if it has a remote
     * address.
     */
    enum Phase {
        OPEN,
        BOUND,
        CLOSED
    }

    /** Datagrams received in a row before the worker serves its other channels. */
    private static final int MAX_RECEIVES_A_TURN = 16;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(NioDatagramChannel.class);

    private final DatagramChannel socket;
    private final NioDatagramConfig config;
    private final Memberships memberships;

    /** Written by the loop, like the two addresses. */
    private volatile Phase phase = Phase.OPEN;

    /** Null until bound; kept after the close. */
    private volatile InetSocketAddress localAddress;

    /** Null while not connected. Written by the loop. */
    private volatile InetSocketAddress remoteAddress;

    /** Pending requests to connect or disconnect. While there are any, the peer is unknown. */
    private final AtomicInteger pendingPeerChanges = new AtomicInteger();

    NioDatagramChannel(
            ChannelFactory factory,
            ChannelPipeline pipeline,
            ChannelSink sink,
            DatagramChannel socket,
            NioDatagramWorker worker) {
        super(null, factory, pipeline, sink, worker, false);
        this.socket = socket;
        config = new NioDatagramConfig(socket);
        memberships = new Memberships(socket);
    }

    /** Returns the worker that drives this channel. */
    public NioDatagramWorker getWorker() {
        return (NioDatagramWorker) loop();
    }

    /** Loop only. */
    DatagramChannel socket() {
        return socket;
    }

    @Override
    public NioDatagramChannelConfig getConfig() {
        return config;
    }

    @Override
    public boolean isBound() {
        return phase == Phase.BOUND && isOpen();
    }

    @Override
    public boolean isConnected() {
        return getRemoteAddress() != null && phase == Phase.BOUND && isOpen();
    }

    private boolean hasPeer() {
        return phase == Phase.BOUND && remoteAddress != null;
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return localAddress;
    }

    /** Returns the peer of messages written now, if known: null while a connect or disconnect is pending. */
    @Override
    public InetSocketAddress getRemoteAddress() {
        return pendingPeerChanges.get() == 0 ? remoteAddress : null;
    }

    /**
     * Sends a datagram.
     *
     * @param remoteAddress the receiver; null means the peer that the channel is connected to
     */
    @Override
    public ChannelFuture write(Object message, SocketAddress remoteAddress) {
        boolean isToPeer = remoteAddress == null || remoteAddress.equals(getRemoteAddress());
        return super.write(message, isToPeer ? null : remoteAddress);
    }

    // ---- opening ----------------------------------------------------------------------------------------------------

    /** Like {@link #request}, for requests that connect or disconnect. Any thread may call it. */
    void changePeer(ChannelFuture future, Runnable action) {
        pendingPeerChanges.incrementAndGet();
        request(future, action);
    }

    void onBind(ChannelFuture future, SocketAddress address) {
        onFlushBeforeChange();
        try {
            refuseWhenClosing();
            if (phase == Phase.BOUND) {
                throw new SecondBindException(localAddress);
            }
            socket.bind(address);
            startReceiving();
        } catch (IOException | RuntimeException e) {
            fail(future, e);
            return;
        }
        onSucceeded(future);
        fireChannelBound(this, localAddress);
    }

    private void startReceiving() throws IOException {
        localAddress = (InetSocketAddress) socket.getLocalAddress();
        onRegister(socket);
        phase = Phase.BOUND;
    }

    /** From now on datagrams are exchanged with one peer only. */
    void onConnect(ChannelFuture future, SocketAddress remote) {
        onFlushBeforeChange();
        boolean wasBound = phase == Phase.BOUND;
        try {
            connect(remote, wasBound);
        } catch (IOException | RuntimeException e) {
            fail(future, e);
            return;
        }
        onSucceeded(future);
        if (!wasBound && !flusher().isClosed()) {
            fireChannelBound(this, localAddress);
        }
        if (!flusher().isClosed()) {
            fireChannelConnected(this, remoteAddress);
        }
    }

    private void connect(SocketAddress remote, boolean isBound) throws IOException {
        try {
            refuseWhenClosing();
            DatagramSender.refuseUnresolved(remote);
            socket.connect(remote);
            if (isBound) {
                localAddress = (InetSocketAddress) socket.getLocalAddress(); // it is no longer a wildcard
            } else {
                startReceiving();
            }
            remoteAddress = (InetSocketAddress) socket.getRemoteAddress();
        } finally {
            pendingPeerChanges.decrementAndGet();
        }
    }

    void onDisconnect(ChannelFuture future) {
        onFlushBeforeChange();
        boolean wasConnected = hasPeer(); // read only now: a writeComplete handler may have closed the channel
        try {
            disconnect(wasConnected);
        } catch (IOException | RuntimeException e) {
            fail(future, e);
            return;
        }
        onSucceeded(future);
        if (wasConnected && !flusher().isClosed()) {
            fireChannelDisconnected(this);
        }
    }

    private void disconnect(boolean isConnected) throws IOException {
        InetSocketAddress peer = remoteAddress;
        try {
            if (isConnected) {
                socket.disconnect();
                localAddress = (InetSocketAddress) socket.getLocalAddress();
                remoteAddress = null;
            }
        } finally {
            pendingPeerChanges.decrementAndGet();
        }
        if (isConnected) {
            flusher().failQueued(new NotYetConnectedException(), message -> isFor(peer, message));
        }
    }

    private static boolean isFor(SocketAddress peer, OutgoingMessage message) {
        return message.remoteAddress() == null || message.remoteAddress().equals(peer);
    }

    // ---- receiving and sending --------------------------------------------------------------------------------------

    /** Never called: no server accepts datagram channels. */
    @Override
    void onAccepted() {}

    @Override
    void onRead() throws IOException {
        DatagramReceiver receiver = getWorker().receiver();
        for (int i = 0; i < MAX_RECEIVES_A_TURN && isReadable() && !isClosing(); i++) {
            SocketAddress sender;
            try {
                sender = receiver.receive(socket);
            } catch (ClosedChannelException e) {
                throw e;
            } catch (IOException e) {
                fireExceptionCaught(this, e); // about a datagram sent earlier; the next receive is not affected
                return;
            }
            if (sender == null) {
                return;
            }
            onReceived(receiver, sender);
        }
    }

    private void onReceived(DatagramReceiver receiver, SocketAddress sender) {
        ReceiveBufferSizePredictor predictor = config.explicitReceiveBufferSizePredictor();
        int length = receiver.length();
        if (predictor != null) {
            int space = predictor.nextReceiveBufferSize();
            predictor.previousReceiveBufferSize(Math.min(length, space));
            if (length > space) {
                fireExceptionCaught(this, Datagrams.truncated(space, sender));
                return;
            }
        }
        TrafficMeter.read(this, length);
        fireMessageReceived(this, receiver.take(config.getBufferFactory()), sender);
    }

    @Override
    SendResult onSend(WriteQueue queue, int maxSends, FlushTotal total) {
        return getWorker().sender().send(this, queue, maxSends, total);
    }

    /** Called when one datagram could not be sent; its future fails. */
    void onNotSent(Throwable cause) {
        if (cause instanceof PortUnreachableException) {
            fireExceptionCaught(this, cause); // about an earlier datagram whose future has succeeded
        } else if (cause instanceof Error) {
            logger.error("failed to send a datagram on " + this, cause);
        }
    }

    @Override
    Exception onCheckSendable() {
        return switch (phase) {
            case BOUND -> null;
            case CLOSED -> ChannelClosedException.of(this);
            case OPEN -> new NotYetBoundException();
        };
    }

    @Override
    boolean isCoalescing() {
        return config.isWriteCoalescing();
    }

    // ---- multicast --------------------------------------------------------------------------------------------------

    @Override
    public ChannelFuture joinGroup(InetAddress multicastAddress) {
        Objects.requireNonNull(multicastAddress, "multicastAddress");
        return change(() -> memberships.join(multicastAddress, Datagrams.multicastInterface(this), null));
    }

    @Override
    public ChannelFuture joinGroup(InetSocketAddress multicastAddress, NetworkInterface networkInterface) {
        return joinGroup(multicastAddress.getAddress(), networkInterface, null);
    }

    /**
     * Starts receiving datagrams that one sender, or any sender, sends to a group.
     *
     * @param source the sender to receive from; null means all
     * @return fails if the system refuses
     */
    public ChannelFuture joinGroup(
            InetAddress multicastAddress, NetworkInterface networkInterface, InetAddress source) {
        Objects.requireNonNull(multicastAddress, "multicastAddress");
        Objects.requireNonNull(networkInterface, "networkInterface");
        return change(() -> memberships.join(multicastAddress, networkInterface, source));
    }

    @Override
    public ChannelFuture leaveGroup(InetAddress multicastAddress) {
        Objects.requireNonNull(multicastAddress, "multicastAddress");
        return change(() -> memberships.leave(multicastAddress, Datagrams.multicastInterface(this), null));
    }

    @Override
    public ChannelFuture leaveGroup(InetSocketAddress multicastAddress, NetworkInterface networkInterface) {
        return leaveGroup(multicastAddress.getAddress(), networkInterface, null);
    }

    /**
     * Undoes {@link #joinGroup(InetAddress, NetworkInterface, InetAddress)} with the same arguments.
     *
     * @param source the same as when joining; null means all
     * @return fails with IllegalArgumentException if the group was not joined with these arguments
     */
    public ChannelFuture leaveGroup(
            InetAddress multicastAddress, NetworkInterface networkInterface, InetAddress source) {
        Objects.requireNonNull(multicastAddress, "multicastAddress");
        Objects.requireNonNull(networkInterface, "networkInterface");
        return change(() -> memberships.leave(multicastAddress, networkInterface, source));
    }

    /**
     * Stops receiving datagrams of one sender to a group that was joined for all senders.
     *
     * @return fails with IllegalArgumentException if the group was not joined for all, or if the system refuses
     */
    public ChannelFuture block(
            InetAddress multicastAddress, NetworkInterface networkInterface, InetAddress sourceToBlock) {
        Objects.requireNonNull(multicastAddress, "multicastAddress");
        Objects.requireNonNull(networkInterface, "networkInterface");
        Objects.requireNonNull(sourceToBlock, "sourceToBlock");
        return change(() -> memberships.block(multicastAddress, networkInterface, sourceToBlock));
    }

    /** Same as the other method, for a group joined with {@link #joinGroup(InetAddress)}. */
    public ChannelFuture block(InetAddress multicastAddress, InetAddress sourceToBlock) {
        Objects.requireNonNull(multicastAddress, "multicastAddress");
        Objects.requireNonNull(sourceToBlock, "sourceToBlock");
        return change(() -> memberships.block(multicastAddress, Datagrams.multicastInterface(this), sourceToBlock));
    }

    private interface MembershipChange {
        void make() throws IOException;
    }

    private ChannelFuture change(MembershipChange change) {
        ChannelFuture future = Channels.future(this);
        request(future, () -> onChange(change, future));
        return future;
    }

    private void onChange(MembershipChange change, ChannelFuture future) {
        try {
            refuseWhenClosing();
            change.make();
        } catch (IOException | RuntimeException e) {
            future.setFailure(e);
            return;
        }
        future.setSuccess();
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    @Override
    public void onClose(ChannelFuture future) {
        completeWithClose(future);
        onClosing();
        onFlushBeforeChange();
        if (phase != Phase.CLOSED) { // a writeComplete handler may have closed it
            onClosingSocket(hasPeer(), phase == Phase.BOUND);
            close(socket);
            phase = Phase.CLOSED;
        }
        onSocketClosed();
    }
}
