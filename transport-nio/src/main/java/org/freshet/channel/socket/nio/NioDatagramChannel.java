package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireChannelBound;
import static org.freshet.channel.Channels.fireChannelConnected;
import static org.freshet.channel.Channels.fireChannelDisconnected;
import static org.freshet.channel.Channels.fireChannelOpen;
import static org.freshet.channel.Channels.fireExceptionCaught;
import static org.freshet.channel.Channels.fireMessageReceived;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.util.Objects;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.Channels;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.internal.transport.Datagrams;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A UDP socket, driven by one {@link NioDatagramWorker}.
 *
 * <p>A message must be a {@link org.freshet.buffer.ChannelBuffer} and leaves as one datagram. One that cannot be sent fails its
 * own future and nothing else. What the network reports about earlier datagrams, such as {@link PortUnreachableException}
 * while connected, comes as exceptionCaught and does not close the channel.
 *
 * <p>Datagrams of any size are received whole, unless the user sets a predictor: then its prediction is the limit, and a
 * larger datagram is dropped and reported by exceptionCaught.
 *
 * <p>Threading: every public method from anywhere. Methods named {@code onX} run on the worker, which alone changes the phase
 * and touches the socket.
 */
public final class NioDatagramChannel extends NioChannel implements org.freshet.channel.socket.DatagramChannel {
    /** OPEN until bound, by a bind or a connect; CLOSED for good. Connected is what has a remote address. */
    enum Phase {
        OPEN,
        BOUND,
        CLOSED
    }

    /** Datagrams received in a row before the worker looks at its other channels. */
    private static final int MAX_RECEIVES_A_TURN = 16;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(NioDatagramChannel.class);

    private final DatagramChannel socket;
    private final NioDatagramConfig config;
    private final Memberships memberships;

    /** Written by the loop, as the two addresses. */
    private volatile Phase phase = Phase.OPEN;

    /** Null until bound; kept after the close. */
    private volatile InetSocketAddress localAddress;

    /** Null while not connected. */
    private volatile InetSocketAddress remoteAddress;

    NioDatagramChannel(
            ChannelFactory factory,
            ChannelPipeline pipeline,
            ChannelSink sink,
            DatagramChannel socket,
            NioDatagramWorker worker) {
        super(null, factory, pipeline, sink, worker);
        this.socket = socket;
        config = new NioDatagramConfig(socket);
        memberships = new Memberships(socket);
    }

    /** The worker that drives this channel. */
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
        return hasPeer() && isOpen();
    }

    private boolean hasPeer() {
        return phase == Phase.BOUND && remoteAddress != null;
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return localAddress;
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return remoteAddress;
    }

    /**
     * Sends a datagram.
     *
     * @param remoteAddress the receiver; null for the peer that the channel is connected to
     */
    @Override
    public ChannelFuture write(Object message, SocketAddress remoteAddress) {
        boolean isToPeer = remoteAddress == null || remoteAddress.equals(this.remoteAddress);
        return super.write(message, isToPeer ? null : remoteAddress);
    }

    // ---- opening ----------------------------------------------------------------------------------------------------

    void onOpened() {
        loop().onOpened(this);
        fireChannelOpen(this);
    }

    void onBind(ChannelFuture future, SocketAddress address) {
        try {
            refuseWhenClosing();
            if (phase == Phase.BOUND) {
                throw new AlreadyBoundException();
            }
            socket.bind(address);
            startReceiving();
        } catch (IOException | RuntimeException e) {
            fail(future, e);
            return;
        }
        future.setSuccess();
        fireChannelBound(this, localAddress);
    }

    private void startReceiving() throws IOException {
        localAddress = (InetSocketAddress) socket.getLocalAddress();
        onRegistered(loop().onRegister(socket, isReadable() ? SelectionKey.OP_READ : 0, this));
        phase = Phase.BOUND;
    }

    /** From now on datagrams are exchanged with one peer only. */
    void onConnect(ChannelFuture future, SocketAddress remote) {
        boolean wasBound = phase == Phase.BOUND;
        try {
            refuseWhenClosing();
            DatagramSender.refuseUnresolved(remote);
            socket.connect(remote);
            if (wasBound) {
                localAddress = (InetSocketAddress) socket.getLocalAddress(); // no wildcard any more
            } else {
                startReceiving();
            }
            remoteAddress = (InetSocketAddress) socket.getRemoteAddress();
        } catch (IOException | RuntimeException e) {
            fail(future, e);
            return;
        }
        future.setSuccess();
        if (!wasBound) {
            fireChannelBound(this, localAddress);
        }
        fireChannelConnected(this, remoteAddress);
    }

    void onDisconnect(ChannelFuture future) {
        if (hasPeer()) {
            flushBeforeEnd(); // what was written to the peer
        }
        boolean wasConnected = hasPeer(); // still: handlers have heard of the flush
        try {
            if (wasConnected) {
                socket.disconnect();
                localAddress = (InetSocketAddress) socket.getLocalAddress();
                remoteAddress = null;
            }
        } catch (IOException | RuntimeException e) {
            fail(future, e);
            return;
        }
        future.setSuccess();
        if (wasConnected) {
            fireChannelDisconnected(this);
        }
    }

    // ---- receiving and sending --------------------------------------------------------------------------------------

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
                fireExceptionCaught(this, e); // about a datagram that was sent; the next receive is as good as new
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
        fireMessageReceived(this, receiver.take(config.getBufferFactory()), sender);
    }

    @Override
    SendResult onSend(WriteQueue queue, FlushTotal total) {
        return getWorker().sender().send(this, queue, config.getWriteSpinCount(), total);
    }

    /** One datagram did not leave; its future says so. */
    void onNotSent(Throwable cause) {
        if (cause instanceof PortUnreachableException) {
            fireExceptionCaught(this, cause); // about an earlier datagram, whose future has succeeded
        } else if (cause instanceof Error) {
            logger.error("failed to send a datagram on " + this, cause);
        }
    }

    @Override
    Exception onCheckSendable() {
        return switch (phase) {
            case BOUND -> null;
            case CLOSED -> new ClosedChannelException();
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
     * Starts to receive what one sender, or any, sends to a group.
     *
     * @param source the sender to hear; null for all
     * @return fails when the system refuses
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
     * Undoes {@link #joinGroup(InetAddress, NetworkInterface, InetAddress)} of the same arguments.
     *
     * @param source as it was joined; null for all
     * @return fails with IllegalArgumentException when it was not joined so
     */
    public ChannelFuture leaveGroup(
            InetAddress multicastAddress, NetworkInterface networkInterface, InetAddress source) {
        Objects.requireNonNull(multicastAddress, "multicastAddress");
        Objects.requireNonNull(networkInterface, "networkInterface");
        return change(() -> memberships.leave(multicastAddress, networkInterface, source));
    }

    /**
     * Stops receiving what one sender sends to a group that was joined for all.
     *
     * @return fails with IllegalArgumentException when the group was not joined so, or when the system refuses
     */
    public ChannelFuture block(
            InetAddress multicastAddress, NetworkInterface networkInterface, InetAddress sourceToBlock) {
        Objects.requireNonNull(multicastAddress, "multicastAddress");
        Objects.requireNonNull(networkInterface, "networkInterface");
        Objects.requireNonNull(sourceToBlock, "sourceToBlock");
        return change(() -> memberships.block(multicastAddress, networkInterface, sourceToBlock));
    }

    /** As the other one, for a group that was joined by {@link #joinGroup(InetAddress)}. */
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
        if (!loop().execute(() -> onChange(change, future))) {
            future.setFailure(new ClosedChannelException());
        }
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
    void onClose(ChannelFuture future) {
        completeWithClose(future);
        onClosing();
        if (phase == Phase.CLOSED) {
            return;
        }
        boolean wasBound = phase == Phase.BOUND;
        if (wasBound) {
            flushBeforeEnd();
        }
        boolean wasConnected = hasPeer();
        close(socket);
        phase = Phase.CLOSED;
        end(wasConnected, wasBound);
    }
}
