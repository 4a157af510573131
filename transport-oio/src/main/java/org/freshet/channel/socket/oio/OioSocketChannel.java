package org.freshet.channel.socket.oio;

import static org.freshet.channel.Channels.fireChannelBound;
import static org.freshet.channel.Channels.fireChannelClosed;
import static org.freshet.channel.Channels.fireChannelConnected;
import static org.freshet.channel.Channels.fireChannelDisconnected;
import static org.freshet.channel.Channels.fireChannelInterestChanged;
import static org.freshet.channel.Channels.fireChannelUnbound;
import static org.freshet.channel.Channels.fireExceptionCaught;
import static org.freshet.channel.Channels.fireMessageReceived;
import static org.freshet.channel.Channels.fireWriteComplete;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.ChannelState;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.UpstreamChannelStateEvent;
import org.freshet.channel.socket.DefaultSocketChannelConfig;
import org.freshet.channel.socket.SocketChannel;
import org.freshet.channel.socket.SocketChannelConfig;
import org.freshet.internal.EventTurn;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.TakesTurns;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A TCP connection, accepted or made, on a blocking socket with a thread of its own.
 *
 * <p>Threading: public methods from anywhere. The I/O thread connects, reads and reports the end; it starts when the
 * connection is accepted or asked for. Writing and closing happen on the caller's thread. Events run in the channel's {@link
 * EventTurn}; fields marked "Turn only." belong to who has it.
 */
final class OioSocketChannel extends AbstractChannel
        implements SocketChannel, TakesTurns, IoThreadBound, LiveChannels.Member, WriteQueue.Target {
    /**
     * The life of a connection. Any thread may change the phase, in one atomic step.
     *
     * <pre>
     *   OPEN --&gt; BOUND --&gt; CONNECTING --&gt; CONNECTED --&gt; CLOSED
     *     |        |            |                         ^
     *     +--------+------------+-------------------------+   (each may be left out; an accepted one starts CONNECTED)
     *   [ no I/O thread ]   [ I/O thread ........................ ]
     * </pre>
     */
    enum Phase {
        OPEN,
        BOUND,
        CONNECTING,
        CONNECTED,
        CLOSED
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(OioSocketChannel.class);

    private static final VarHandle PHASE;
    private static final VarHandle SENT_BYTES;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PHASE = lookup.findVarHandle(OioSocketChannel.class, "phase", Phase.class);
            SENT_BYTES = lookup.findVarHandle(OioSocketChannel.class, "sentBytes", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Socket socket;
    private final SocketChannelConfig config;
    private final LiveChannels live;
    private final EventTurn turn = new EventTurn();
    private final WriteQueue writes = new WriteQueue(this);

    private volatile Phase phase;

    /** Null before it starts and after it has ended. */
    private volatile Thread ioThread;

    /** Bytes that were sent and that handlers have not heard of. */
    @SuppressWarnings("unused") // through SENT_BYTES
    private volatile long sentBytes;

    /** Known from bind or connect on, and kept after the close. */
    private volatile InetSocketAddress localAddress;

    /** Known from connect on, and kept after the close. */
    private volatile InetSocketAddress remoteAddress;

    /** Turn only. Whether handlers have seen channelBound. */
    private boolean boundAnnounced;

    /** Turn only. Whether handlers have seen channelConnected. */
    private boolean connectedAnnounced;

    /** Turn only. Whether handlers have seen channelClosed, after which they see nothing. */
    private boolean endAnnounced;

    /** Turn only. What handlers know of {@link #isReadable()}. */
    private boolean readableAnnounced = true;

    /**
     * @param socket connected if {@code parent} has accepted it, else new
     */
    OioSocketChannel(
            Channel parent,
            ChannelFactory factory,
            ChannelPipeline pipeline,
            ChannelSink sink,
            Socket socket,
            LiveChannels live) {
        super(parent, factory, pipeline, sink);
        this.socket = socket;
        this.live = live;
        config = new DefaultSocketChannelConfig(socket);
        phase = parent == null ? Phase.OPEN : Phase.CONNECTED;
        if (parent != null) {
            rememberAddresses();
        }
    }

    private void rememberAddresses() {
        localAddress = (InetSocketAddress) socket.getLocalSocketAddress();
        remoteAddress = (InetSocketAddress) socket.getRemoteSocketAddress();
    }

    @Override
    public SocketChannelConfig getConfig() {
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
    public InetSocketAddress getLocalAddress() {
        return localAddress;
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return remoteAddress;
    }

    @Override
    public EventTurn turn() {
        return turn;
    }

    /** Also true of a thread that writes, since it completes the futures of others. */
    @Override
    public boolean inIoThread() {
        return turn.isMine() || ioThread == Thread.currentThread() || writes.isWriter();
    }

    /**
     * Writes to the connected peer.
     *
     * @return a failed future if {@code remoteAddress} is another address than the peer's: a connection has one peer
     */
    @Override
    public ChannelFuture write(Object message, SocketAddress remoteAddress) {
        if (remoteAddress == null || remoteAddress.equals(getRemoteAddress())) {
            return super.write(message, null);
        }
        return getUnsupportedOperationFuture();
    }

    // ---- opening ----------------------------------------------------------------------------------------------------

    void bind(ChannelFuture future, SocketAddress address) {
        try {
            refuseUnlessOpen();
            socket.bind(address);
            localAddress = (InetSocketAddress) socket.getLocalSocketAddress();
            if (!PHASE.compareAndSet(this, Phase.OPEN, Phase.BOUND)) {
                throw new ClosedChannelException();
            }
        } catch (IOException | RuntimeException e) {
            Exception cause = explain(e);
            future.setFailure(cause);
            reportLater(cause);
            return;
        }
        future.setSuccess();
        turn.later(this::announceBound);
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
        if (!endAnnounced && !boundAnnounced) {
            boundAnnounced = true;
            fireChannelBound(this, localAddress);
        }
    }

    /** Connects on the I/O thread, which it starts. */
    void connect(ChannelFuture future, SocketAddress remote, IoThreads threads) {
        Exception refusal = enterConnecting();
        if (refusal != null) {
            future.setFailure(refusal);
            reportLater(refusal);
            return;
        }
        try {
            threads.start("connection", () -> live(() -> connectNow(future, remote)));
        } catch (RejectedExecutionException e) {
            future.setFailure(e);
            reportLater(e);
            closeNow();
            turn.later(this::announceEnd);
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

    /** Starts the life of an accepted connection; the parent has announced it. */
    void startAccepted(IoThreads threads) {
        try {
            threads.start("connection", () -> live(this::openAccepted));
        } catch (RejectedExecutionException e) {
            closeNow();
            turn.later(this::announceEnd);
            throw e;
        }
    }

    // ---- the I/O thread ---------------------------------------------------------------------------------------------

    /** From the first event to the last. */
    private void live(Runnable opening) {
        ioThread = Thread.currentThread();
        try {
            opening.run();
            if (phase == Phase.CONNECTED) {
                new SocketReader(this, socket.getInputStream()).run();
                writes.send(OutgoingMessage.place()); // a peer that only listens on gets the answers under way
            }
        } catch (IOException | RuntimeException e) {
            onFailed(e);
        } catch (Error e) {
            logger.error("the I/O thread of " + this + " failed, which is closed", e);
            onFailed(e);
        }
        closeNow();
        inTurn(this::announceEnd);
        ioThread = null;
    }

    private void openAccepted() {
        inTurn(() -> {
            getPipeline().sendUpstream(new UpstreamChannelStateEvent(this, ChannelState.OPEN, Boolean.TRUE));
            announceConnected();
        });
    }

    private void announceConnected() {
        announceBound();
        connectedAnnounced = true;
        fireChannelConnected(this, remoteAddress);
    }

    private void connectNow(ChannelFuture future, SocketAddress remote) {
        try {
            socket.connect(remote, config.getConnectTimeoutMillis());
            rememberAddresses();
            if (!PHASE.compareAndSet(this, Phase.CONNECTING, Phase.CONNECTED)) {
                throw new ClosedChannelException();
            }
        } catch (IOException | RuntimeException e) {
            Exception cause = explain(ConnectFailures.named(e, remote, config.getConnectTimeoutMillis()));
            future.setFailure(cause);
            inTurn(() -> fireExceptionCaught(this, cause));
            return;
        }
        inTurn(() -> {
            future.setSuccess();
            announceConnected();
        });
    }

    private void inTurn(Runnable action) {
        turn.take();
        try {
            action.run();
        } finally {
            turn.giveBack();
        }
    }

    /** Waits as long as reading is not wanted; returns false if the channel is closed instead. I/O thread only. */
    boolean awaitReadable() {
        while (phase == Phase.CONNECTED) {
            if (isReadable()) {
                return true;
            }
            LockSupport.park(this);
            Thread.interrupted(); // nobody has reason to interrupt this thread, and park would not wait any more
        }
        return false;
    }

    /** Passes a message on as soon as reading is wanted; drops it if the channel is closed instead. I/O thread only. */
    void deliver(ChannelBuffer message) {
        boolean delivered = false;
        while (!delivered && awaitReadable()) {
            turn.take();
            try {
                if (isReadable() && phase == Phase.CONNECTED) { // the last holder of the turn may have changed that
                    delivered = true;
                    fireMessageReceived(this, message);
                }
            } finally {
                turn.giveBack();
            }
        }
    }

    private void onFailed(Throwable cause) {
        if (phase != Phase.CLOSED) {
            inTurn(() -> fireExceptionCaught(this, cause));
        }
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    /** Writes on the caller's thread, which blocks meanwhile. */
    void write(MessageEvent event) {
        OutgoingMessage message;
        try {
            message = OutgoingMessage.of(event);
        } catch (IllegalArgumentException e) {
            event.getFuture().setFailure(e);
            reportLater(e);
            return;
        }
        long sent = writes.send(message);
        if (sent > 0) {
            SENT_BYTES.getAndAdd(this, sent);
            turn.later(this::announceWritten);
        }
    }

    private void announceWritten() {
        long sent = (long) SENT_BYTES.getAndSet(this, 0L);
        if (!endAnnounced) {
            fireWriteComplete(this, sent);
        }
    }

    @Override
    public Exception refusal() {
        return switch (phase) {
            case CONNECTED -> null;
            case CLOSED -> new ClosedChannelException();
            default -> new NotYetConnectedException();
        };
    }

    @Override
    public void send(OutgoingMessage message) throws IOException {
        try {
            message.sendTo(socket.getOutputStream());
        } catch (IOException e) {
            throw phase == Phase.CLOSED ? closedBy(e) : e;
        }
    }

    @Override
    public void onSendFailed(Throwable cause) {
        if (phase != Phase.CLOSED) {
            reportLater(cause);
            closeNow();
        }
    }

    @Override
    public void onCloseReached() {
        closeNow();
    }

    // ---- interest ---------------------------------------------------------------------------------------------------

    void changeInterest(ChannelFuture future, int interestOps) {
        setInternalInterestOps(interestOps & OP_READ);
        LockSupport.unpark(ioThread);
        future.setSuccess();
        turn.later(this::announceInterest);
    }

    private void announceInterest() {
        boolean readable = isReadable();
        if (readable != readableAnnounced && !endAnnounced) {
            readableAnnounced = readable;
            fireChannelInterestChanged(this);
        }
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    /** Closes at once, but behind the writes of the listener that asks for it. */
    void close(ChannelFuture future) {
        if (future != getCloseFuture()) {
            getCloseFuture().addListener(closed -> future.setSuccess());
        }
        if (writes.isWriter()) {
            writes.send(OutgoingMessage.close());
        } else {
            closeNow();
        }
    }

    @Override
    public void closeNow() {
        Phase before = (Phase) PHASE.getAndSet(this, Phase.CLOSED);
        if (before == Phase.CLOSED) {
            return;
        }
        try {
            socket.close(); // whoever is blocked in it comes out with an exception
        } catch (IOException e) {
            reportLater(e);
        }
        setClosed();
        LockSupport.unpark(ioThread);
        if (before == Phase.OPEN || before == Phase.BOUND) {
            turn.later(this::announceEnd);
        }
    }

    /** By the I/O thread as its last deed, or by whoever closes a channel that has none. */
    private void announceEnd() {
        try {
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

    private void reportLater(Throwable cause) {
        turn.later(() -> fireExceptionCaught(this, cause));
    }

    /** What fails because the channel was closed says so. */
    private Exception explain(Exception cause) {
        return phase == Phase.CLOSED && cause instanceof IOException io ? closedBy(io) : cause;
    }

    private static ClosedChannelException closedBy(IOException cause) {
        if (cause instanceof ClosedChannelException closed) {
            return closed;
        }
        ClosedChannelException closed = new ClosedChannelException();
        closed.initCause(cause);
        return closed;
    }
}
