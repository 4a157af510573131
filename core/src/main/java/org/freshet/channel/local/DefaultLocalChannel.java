package org.freshet.channel.local;

import static org.freshet.channel.Channels.fireChannelBound;
import static org.freshet.channel.Channels.fireChannelClosed;
import static org.freshet.channel.Channels.fireChannelConnected;
import static org.freshet.channel.Channels.fireChannelDisconnected;
import static org.freshet.channel.Channels.fireChannelInterestChanged;
import static org.freshet.channel.Channels.fireChannelOpen;
import static org.freshet.channel.Channels.fireChannelUnbound;
import static org.freshet.channel.Channels.fireExceptionCaught;
import static org.freshet.channel.Channels.fireMessageReceived;
import static org.freshet.channel.Channels.fireWriteComplete;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.util.ArrayDeque;
import java.util.Set;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelState;
import org.freshet.channel.DefaultChannelConfig;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.UpstreamChannelStateEvent;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.transport.SerialChannel;
import org.freshet.internal.transport.SerialExecutor;

/**
 * One end of a connection within the JVM.
 *
 * <p>Threading: any thread may call. Events run in the channel's {@link SerialExecutor} by {@link LocalEvents}; fields marked "Turn
 * only." belong to who has it.
 */
final class DefaultLocalChannel extends AbstractChannel
        implements LocalChannel, LocalEnd, SerialChannel, IoThreadBound {
    /** CONNECTING from the request until the server has made the other end. Any thread may change it, in one atomic step. */
    enum Phase {
        OPEN,
        BOUND,
        CONNECTING,
        CONNECTED,
        CLOSED
    }

    /** What has come from the other end: a message, or null for its close. */
    private record Arrival(MessageEvent message, DefaultLocalChannel from) {}

    private static final VarHandle PHASE;

    static {
        try {
            PHASE = MethodHandles.lookup().findVarHandle(DefaultLocalChannel.class, "phase", Phase.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ChannelConfig config = new DefaultChannelConfig();
    private final SerialExecutor serialExecutor = new SerialExecutor();

    /** The channels of the factory, this one included until it is closed. */
    private final Set<LocalEnd> live;

    private volatile Phase phase;

    /** The other end; set before the phase is CONNECTED, and kept after the close. */
    private volatile DefaultLocalChannel peer;

    /** Known from bind or connect on, and kept after the close. */
    private volatile LocalAddress localAddress;

    /** Known from connect on, and kept after the close. */
    private volatile LocalAddress remoteAddress;

    /** Turn only. What handlers have not been given yet; null until there is something. */
    private ArrayDeque<Arrival> held;

    /** Turn only. Whether handlers have seen channelBound. */
    private boolean boundAnnounced;

    /** Turn only. Whether handlers have seen channelConnected, before which they get no message. */
    private boolean connectedAnnounced;

    /** Turn only. Whether handlers have seen channelClosed, after which they see nothing. */
    private boolean endAnnounced;

    /** Turn only. What handlers know of {@link #isReadable()}. */
    private boolean readableAnnounced = true;

    /** A client, to be connected. */
    DefaultLocalChannel(ChannelFactory factory, ChannelPipeline pipeline, Set<LocalEnd> live) {
        super(null, factory, pipeline, LocalSink.INSTANCE);
        this.live = live;
        phase = Phase.OPEN;
        live.add(this);
    }

    /** The end that a server makes for a client. */
    DefaultLocalChannel(
            DefaultLocalServerChannel parent,
            ChannelPipeline pipeline,
            Set<LocalEnd> live,
            DefaultLocalChannel client) {
        super(parent, parent.getFactory(), pipeline, LocalSink.INSTANCE);
        this.live = live;
        peer = client;
        localAddress = parent.getLocalAddress();
        remoteAddress = client.getLocalAddress();
        phase = Phase.CONNECTED;
        live.add(this);
    }

    @Override
    public ChannelConfig getConfig() {
        return config;
    }

    @Override
    public boolean isBound() {
        Phase now = phase;
        return now == Phase.BOUND || now == Phase.CONNECTED || now == Phase.CONNECTING && localAddress != null;
    }

    @Override
    public boolean isConnected() {
        return phase == Phase.CONNECTED;
    }

    @Override
    public LocalAddress getLocalAddress() {
        return localAddress;
    }

    @Override
    public LocalAddress getRemoteAddress() {
        return remoteAddress;
    }

    @Override
    public SerialExecutor serialExecutor() {
        return serialExecutor;
    }

    @Override
    public boolean inIoThread() {
        return serialExecutor.isHeldByCurrentThread();
    }

    private void later(Runnable event) {
        LocalEvents.later(serialExecutor, event);
    }

    /** Handlers hear of it too, unless the channel was closed, which is no news and may be their last event. */
    private void fail(ChannelFuture future, Exception cause) {
        future.setFailure(cause);
        if (!(cause instanceof ClosedChannelException)) {
            later(() -> fireExceptionCaught(this, cause));
        }
    }

    // ---- opening ----------------------------------------------------------------------------------------------------

    void open() {
        later(() -> fireChannelOpen(this));
    }

    void bind(ChannelFuture future, SocketAddress address) {
        try {
            refuseUnlessOpen();
            LocalAddress claimed = LocalNames.claim(address, this);
            localAddress = claimed;
            if (!PHASE.compareAndSet(this, Phase.OPEN, Phase.BOUND)) {
                LocalNames.release(claimed, this);
                throw new ClosedChannelException();
            }
        } catch (IOException | RuntimeException e) {
            fail(future, e);
            return;
        }
        future.setSuccess();
        later(this::announceBound);
    }

    private void refuseUnlessOpen() throws ClosedChannelException {
        if (phase == Phase.CLOSED) {
            throw new ClosedChannelException();
        }
        if (phase != Phase.OPEN) {
            throw new AlreadyBoundException();
        }
    }

    private void announceBound() {
        if (!boundAnnounced && !endAnnounced) {
            boundAnnounced = true;
            fireChannelBound(this, localAddress);
        }
    }

    void connect(ChannelFuture future, SocketAddress address) {
        Exception refusal = enterConnecting();
        if (refusal != null) {
            fail(future, refusal);
            return;
        }
        future.addListener(this::closeIfCancelled);
        try {
            DefaultLocalServerChannel server = LocalNames.server(address);
            claimNameIfNone();
            server.accept(this, future);
        } catch (IOException | RuntimeException e) {
            onConnectFailed(future, e);
        }
    }

    private void claimNameIfNone() throws ClosedChannelException {
        if (localAddress != null) {
            return;
        }
        LocalAddress claimed = LocalNames.claimFresh(this);
        localAddress = claimed;
        if (phase == Phase.CLOSED) { // whoever closed this end may have come before the name
            LocalNames.release(claimed, this);
            throw new ClosedChannelException();
        }
    }

    /** Returns why not, if the channel cannot be connected now. */
    private Exception enterConnecting() {
        if (PHASE.compareAndSet(this, Phase.OPEN, Phase.CONNECTING)
                || PHASE.compareAndSet(this, Phase.BOUND, Phase.CONNECTING)) {
            return null;
        }
        return switch (phase) {
            case CONNECTING -> new ConnectionPendingException();
            case CONNECTED -> new AlreadyConnectedException();
            default -> new ClosedChannelException();
        };
    }

    private void closeIfCancelled(ChannelFuture connect) {
        if (connect.isCancelled()) {
            closeNow();
        }
    }

    void onConnectFailed(ChannelFuture future, Exception cause) {
        fail(future, cause);
        closeNow();
    }

    /** The server has made the other end; false if this end has been closed meanwhile. */
    boolean onAccepted(DefaultLocalChannel child, ChannelFuture future) {
        peer = child;
        remoteAddress = child.getLocalAddress();
        if (!PHASE.compareAndSet(this, Phase.CONNECTING, Phase.CONNECTED)) {
            future.setFailure(new ClosedChannelException());
            return false;
        }
        later(() -> {
            future.setSuccess();
            announceConnected();
        });
        return true;
    }

    /** The server has announced this child; here its own life starts. */
    void startAccepted() {
        later(() -> {
            getPipeline().sendUpstream(new UpstreamChannelStateEvent(this, ChannelState.OPEN, Boolean.TRUE));
            announceConnected();
        });
    }

    private void announceConnected() {
        if (endAnnounced) {
            return;
        }
        announceBound();
        connectedAnnounced = true;
        fireChannelConnected(this, remoteAddress);
        deliverHeld();
    }

    // ---- messages ---------------------------------------------------------------------------------------------------

    /** Hands the message to the other end. */
    void write(MessageEvent message) {
        switch (phase) {
            case CONNECTED -> {
                DefaultLocalChannel to = peer;
                LocalEvents.later(to.serialExecutor, () -> to.onArrival(new Arrival(message, this)));
            }
            case CLOSED -> message.getFuture().setFailure(new ClosedChannelException());
            default -> message.getFuture().setFailure(new NotYetConnectedException());
        }
    }

    private void onArrival(Arrival arrival) {
        if (held == null) {
            held = new ArrayDeque<>();
        }
        held.add(arrival);
        deliverHeld();
    }

    private void deliverHeld() {
        if (phase == Phase.CLOSED) {
            failHeld();
            return;
        }
        announceInterest(); // what lets a message come is told before it
        while (held != null && !held.isEmpty() && connectedAnnounced && isReadable() && phase == Phase.CONNECTED) {
            deliver(held.poll());
        }
    }

    private void deliver(Arrival arrival) {
        MessageEvent message = arrival.message;
        if (message == null) {
            closeNow();
            return;
        }
        message.getFuture().setSuccess();
        LocalEvents.later(arrival.from.serialExecutor, arrival.from::announceWritten);
        fireMessageReceived(this, message.getMessage());
    }

    /** The unit of "how much" is messages here. */
    private void announceWritten() {
        if (!endAnnounced) {
            fireWriteComplete(this, 1);
        }
    }

    private void failHeld() {
        if (held == null) {
            return;
        }
        for (Arrival arrival = held.poll(); arrival != null; arrival = held.poll()) {
            if (arrival.message != null) {
                arrival.message.getFuture().setFailure(new ClosedChannelException());
            }
        }
    }

    void changeInterest(ChannelFuture future, int interestOps) {
        setInternalInterestOps(interestOps & OP_READ);
        future.setSuccess();
        later(this::deliverHeld);
    }

    private void announceInterest() {
        boolean readable = isReadable();
        if (readable != readableAnnounced && !endAnnounced) {
            readableAnnounced = readable;
            fireChannelInterestChanged(this);
        }
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    void close(ChannelFuture future) {
        if (future != getCloseFuture()) {
            getCloseFuture().addListener(closed -> future.setSuccess());
        }
        closeNow();
    }

    @Override
    public void closeNow() {
        if (PHASE.getAndSet(this, Phase.CLOSED) == Phase.CLOSED) {
            return;
        }
        if (localAddress != null) {
            LocalNames.release(localAddress, this);
        }
        setClosed();
        if (peer != null) {
            peer.onPeerClosed(this);
        }
        later(this::announceEnd);
    }

    /** Closes this end too, after what has come before. */
    void onPeerClosed(DefaultLocalChannel from) {
        later(() -> onArrival(new Arrival(null, from)));
    }

    private void announceEnd() {
        try {
            failHeld();
            if (connectedAnnounced) {
                fireChannelDisconnected(this);
            }
            if (boundAnnounced) {
                fireChannelUnbound(this);
            }
            fireChannelClosed(this);
        } finally {
            endAnnounced = true;
            live.remove(this);
        }
    }
}
