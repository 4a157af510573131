package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireChannelBound;
import static org.freshet.channel.Channels.fireChannelConnected;
import static org.freshet.channel.Channels.fireMessageReceived;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.ChannelState;
import org.freshet.channel.CloseReason;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.OutputShutdownException;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.UpstreamChannelStateEvent;
import org.freshet.channel.socket.nio.receive.StreamReceiver;
import org.freshet.channel.socket.nio.send.FlushTotal;
import org.freshet.channel.socket.nio.send.SendResult;
import org.freshet.channel.socket.nio.send.WriteQueue;
import org.freshet.internal.lending.Lending;
import org.freshet.internal.metering.ConnectionRecording;
import org.freshet.internal.metering.TrafficMeter;
import org.freshet.internal.transport.BrokenOutput;
import org.freshet.internal.transport.LifecycleEvents;
import org.freshet.internal.transport.NewSockets;
import org.freshet.internal.transport.SecondBindException;
import org.freshet.internal.write.OutgoingMessage;

/**
 * A connection, accepted or made, driven by one {@link NioWorker}. Subclasses supply the parts that depend on the kind
 * of socket: address types, and cleanup after a bind.
 *
 * <p>Threading: as in {@link org.freshet.channel.Channel}: any thread may call public methods. Methods named
 * {@code onX} run on the worker, which alone changes the phase and touches the socket. Exception: a
 * {@link PendingConnect} lends the socket to a boss until it ends.
 */
abstract class NioStreamChannel extends NioChannel {
    /** Full reads in a row before the worker serves its other channels. */
    private static final int MAX_READS_A_TURN = 4;

    /** Loop only. Replaced if a {@link NamedConnect} connected another socket. */
    private SocketChannel socket;

    private final NioSocketConfig config;

    /** Written by the loop. */
    private volatile StreamPhase phase;

    /**
     * Known from bind or connect on, when handlers receive channelBound, and kept after the close. Written by the loop
     * before the phase.
     */
    private SocketAddress localAddress;

    /** Known from connect on, and kept after the close. Written by the loop before the phase. */
    private SocketAddress remoteAddress;

    /** Creates a connection to be made. */
    NioStreamChannel(
            ChannelFactory factory,
            ChannelPipeline pipeline,
            ChannelSink sink,
            SocketChannel socket,
            NioSocketConfig config,
            NioWorker worker) {
        super(null, factory, pipeline, sink, worker, false);
        this.socket = socket;
        this.config = config;
        phase = StreamPhase.OPEN;
    }

    /**
     * Creates a connection that {@code parent} has accepted.
     *
     * @throws IOException if the socket is closed
     */
    NioStreamChannel(
            Channel parent,
            ChannelPipeline pipeline,
            ChannelSink sink,
            SocketChannel accepted,
            NioSocketConfig config,
            NioWorker worker)
            throws IOException {
        super(parent, parent.getFactory(), pipeline, sink, worker, true);
        socket = accepted;
        this.config = config;
        rememberAddresses();
        phase = StreamPhase.CONNECTED;
    }

    // ---- supplied by each kind of socket, on the loop ---------------------------------------------------------------

    void bind(SocketChannel socket, SocketAddress address) throws IOException {
        socket.bind(address);
    }

    /** Called right after the socket was closed; must not throw. */
    void onUnbound() {}

    PendingConnect newConnect(SocketChannel socket, SocketAddress address, ChannelFuture future, NioClientBoss boss) {
        return new ConnectAttempt(this, socket, address, config.getConnectTimeoutMillis(), future, boss);
    }

    // ---- getters ----------------------------------------------------------------------------------------------------

    final NioWorker worker() {
        return (NioWorker) loop();
    }

    @Override
    public NioSocketChannelConfig getConfig() {
        return config;
    }

    @Override
    public boolean isBound() {
        StreamPhase now = phase;
        return isOpen() && now != StreamPhase.OPEN && (now != StreamPhase.CONNECTING || localAddress != null);
    }

    @Override
    public boolean isConnected() {
        return phase.isConnected() && isOpen();
    }

    @Override
    public SocketAddress getLocalAddress() {
        return phase == StreamPhase.OPEN ? null : localAddress;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return phase == StreamPhase.OPEN ? null : remoteAddress;
    }

    /**
     * Writes to the connected peer.
     *
     * @return a failed future if {@code remoteAddress} is not the peer's address: a connection has one peer
     */
    @Override
    public ChannelFuture write(Object message, SocketAddress remoteAddress) {
        if (remoteAddress == null || remoteAddress.equals(getRemoteAddress())) {
            return super.write(message, null);
        }
        return getUnsupportedOperationFuture();
    }

    // ---- opening ----------------------------------------------------------------------------------------------------

    /**
     * Starts the life of an accepted channel on its own loop, after its parent has announced it, unless a request on
     * the loop came first.
     */
    @Override
    void onAccepted() {
        if (!flusher().isHeld()) {
            return;
        }
        ChannelEvent opened = new UpstreamChannelStateEvent(this, ChannelState.OPEN, Boolean.TRUE);
        ConnectionRecording.begin(this);
        flusher().onAnnounced(); // without memory for the event, the close fires it
        loop().counters().onOpened();
        getPipeline().sendUpstream(opened);
        if (!flusher().isClosed()) {
            fireChannelBound(this, localAddress);
        }
        try {
            register();
            if (!flusher().isClosed()) {
                fireChannelConnected(this, remoteAddress);
            }
        } catch (IOException e) {
            onFailed(e);
        }
        onRequests();
        if (!loop().isRunning()) {
            onLoopStopping();
        }
    }

    private void rememberAddresses() throws IOException {
        localAddress = socket.getLocalAddress();
        remoteAddress = socket.getRemoteAddress();
    }

    private void register() throws IOException {
        if (!isClosing()) {
            onRegister(socket);
        }
    }

    void onBind(ChannelFuture future, SocketAddress address) {
        try {
            refuseWhenClosing();
            if (localAddress != null) {
                throw new SecondBindException(localAddress);
            }
            bind(socket, address);
            localAddress = socket.getLocalAddress();
            phase = StreamPhase.BOUND;
            onSucceeded(future);
            fireChannelBound(this, localAddress);
        } catch (IOException | RuntimeException e) {
            fail(future, e);
        }
    }

    // ---- connecting -------------------------------------------------------------------------------------------------

    void onConnect(ChannelFuture future, SocketAddress address, NioClientBoss boss) {
        try {
            refuseWhenClosing();
            refuseWhenConnecting();
        } catch (IOException | RuntimeException e) {
            fail(future, e);
            return;
        }
        onFlushBeforeChange();
        future.addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        if (future.isDone()) {
            return; // it was cancelled, and the listener has requested the close
        }
        PendingConnect attempt = newConnect(socket, address, future, boss);
        worker().onConnecting(this, attempt);
        phase = StreamPhase.CONNECTING; // set only now: a close in this phase needs the attempt
        attempt.start();
    }

    private void refuseWhenConnecting() {
        if (phase == StreamPhase.CONNECTING) {
            throw new ConnectionPendingException();
        }
        if (phase.isConnected()) {
            throw new AlreadyConnectedException();
        }
    }

    /** Continues with another socket, chosen by a connect. */
    private void exchange(SocketChannel connected) {
        SocketChannel before = socket;
        socket = connected;
        config.changeSocket(connected);
        NewSockets.closeQuietly(before);
    }

    /**
     * Called when the attempt has ended and the socket belongs to the worker again.
     *
     * @param connected the socket to continue with; null means the channel's own
     */
    void onConnectEnded(ChannelFuture future, Throwable failure, SocketChannel connected) {
        worker().onConnectEnded(this);
        phase = localAddress == null ? StreamPhase.OPEN : StreamPhase.BOUND;
        if (isClosing()) {
            if (connected != null) {
                NewSockets.closeQuietly(connected);
            }
            future.setFailure(failure != null ? failure : ChannelClosedException.of(this));
            finishClose();
            return;
        }
        try {
            if (failure == null && connected != null) {
                exchange(connected);
            }
            if (failure == null) {
                onConnected(future);
                return;
            }
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
        CloseReason reason = failure instanceof ClosedChannelException
                ? CloseReason.SHUTDOWN // the boss has shut down
                : CloseReason.of(CloseReason.Kind.CONNECT_FAILED, null, failure);
        onFailing(reason);
        fail(future, failure);
        onEnds(reason);
    }

    private void onConnected(ChannelFuture future) throws IOException {
        boolean wasBound = localAddress != null;
        rememberAddresses();
        phase = StreamPhase.CONNECTED;
        loop().counters().onOpened();
        ConnectionRecording.begin(this);
        if (!wasBound) {
            fireChannelBound(this, localAddress);
        }
        register();
        if (flusher().isClosed()) { // closed by a handler that awaited the close
            future.setFailure(ChannelClosedException.of(this));
            return;
        }
        future.setSuccess();
        if (!flusher().isClosed()) {
            fireChannelConnected(this, remoteAddress);
        }
    }

    @Override
    boolean isOpening() {
        return phase.isConnected() && !isRegistered();
    }

    // ---- reading and writing ----------------------------------------------------------------------------------------

    @Override
    void onRead() throws IOException {
        for (int i = 0; i < MAX_READS_A_TURN && isReadable() && !isClosing(); i++) {
            ReceiveBufferSizePredictor predictor = config.explicitReceiveBufferSizePredictor();
            int space = predictor == null
                    ? (i == 0 ? StreamReceiver.RECEIVE_BYTES : StreamReceiver.NEXT_RECEIVE_BYTES)
                    : StreamReceiver.spaceFor(predictor.nextReceiveBufferSize());
            if (receive(space, predictor) < space) {
                break; // the kernel has no more; another read would only return EAGAIN
            }
        }
    }

    /** Reads once and passes the bytes on. Returns their number, or -1 at the end of the stream. */
    private int receive(int space, ReceiveBufferSizePredictor predictor) throws IOException {
        StreamReceiver receiver = worker().receiver();
        int received = receive(receiver, space);
        if (received > 0) {
            TrafficMeter.read(this, received);
            if (predictor != null) {
                predictor.previousReceiveBufferSize(received);
            }
            if (received < Lending.MIN_BYTES || !ReadLoan.passOn(this, receiver, received)) {
                fireMessageReceived(this, receiver.take(config.getBufferFactory()));
            }
        } else if (received < 0) {
            onInputEnds();
        }
        return received;
    }

    /**
     * If sending has failed before, a read failure is only the end of input: handlers already know that the connection
     * is lost.
     */
    private int receive(StreamReceiver receiver, int space) throws IOException {
        if (!flusher().isBroken()) {
            return receiver.receive(socket, space);
        }
        loop().brokenOutputs().onRead(this);
        try {
            return receiver.receive(socket, space);
        } catch (IOException e) {
            return -1;
        }
    }

    /**
     * Closes, unless half-closure is allowed and this side may still have something to send. Requests that other
     * threads made before this take effect first: a peer that has only ended its output still receives what they wrote.
     */
    private void onInputEnds() {
        onRequests();
        if (isClosing()) {
            return;
        }
        if (phase == StreamPhase.OUTPUT_ENDED || flusher().isBroken() || !config.isAllowHalfClosure()) {
            onEnds(phase == StreamPhase.OUTPUT_ENDED ? CloseReason.COMPLETED : CloseReason.PEER_CLOSED);
            return;
        }
        phase = StreamPhase.INPUT_ENDED;
        onNothingToRead();
        getPipeline().sendUpstream(new InputShutdownEvent(this));
    }

    @Override
    boolean mayRead() {
        return phase != StreamPhase.INPUT_ENDED;
    }

    @Override
    boolean hasInputAfter(CloseReason failureToSend) {
        return phase == StreamPhase.CONNECTED && BrokenOutput.leavesInput(failureToSend);
    }

    @Override
    SendResult onSend(WriteQueue queue, int maxSends, FlushTotal total) throws IOException {
        if (phase == StreamPhase.OUTPUT_ENDED) {
            return refuse(queue);
        }
        SendResult result = worker().sender().send(socket, queue, maxSends, config.isWriteCoalescing(), total);
        if (!isAtOutputEnd(queue)) {
            return result;
        }
        onOutputEnds();
        return refuse(queue);
    }

    private static boolean isAtOutputEnd(WriteQueue queue) {
        OutgoingMessage next = queue.peek();
        return next != null && next.isOutputEnd();
    }

    /** Shuts down the output. If the input has ended too, only the close is left. */
    private void onOutputEnds() throws IOException {
        socket.shutdownOutput();
        boolean isInputEnded = phase == StreamPhase.INPUT_ENDED;
        phase = StreamPhase.OUTPUT_ENDED;
        if (isInputEnded) {
            onEnds(CloseReason.COMPLETED);
        }
    }

    /**
     * Fails messages queued after the end of output, except requests to end the output. Messages added by listeners in
     * the meantime stay.
     */
    private SendResult refuse(WriteQueue queue) {
        completeOutputEnds(queue);
        flusher().failQueued(new OutputShutdownException(), message -> !message.isOutputEnd());
        completeOutputEnds(queue);
        return queue.isEmpty() ? SendResult.DRAINED : SendResult.SHARE_USED;
    }

    private static void completeOutputEnds(WriteQueue queue) {
        while (isAtOutputEnd(queue)) {
            queue.remove().complete(null);
        }
    }

    @Override
    Exception onCheckSendable() {
        return switch (phase) {
            case CONNECTED, OUTPUT_ENDED, INPUT_ENDED -> null;
            case CLOSED -> ChannelClosedException.of(this);
            default -> new NotYetConnectedException();
        };
    }

    @Override
    boolean isCoalescing() {
        return config.isWriteCoalescing();
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    @Override
    public void onClose(ChannelFuture future) {
        completeWithClose(future);
        onAccepted();
        onClosing();
        onFlushBeforeChange();
        if (phase == StreamPhase.CONNECTING) {
            worker().abandonConnect(this); // onConnectEnded does the rest
        } else {
            finishClose();
        }
    }

    private void finishClose() {
        if (phase != StreamPhase.CLOSED) {
            onClosingSocket(phase.isConnected(), localAddress != null);
            if (phase.isConnected()) {
                loop().counters().onClosed(getCloseReason().kind());
            }
            close(socket);
            onUnbound();
            phase = StreamPhase.CLOSED;
        }
        onSocketClosed();
    }

    /** Closes a channel whose worker stopped before taking it over. Called by the boss that holds it. */
    void closeStranded() {
        setClosing(CloseReason.SHUTDOWN);
        close(socket);
        onUnbound();
        phase = StreamPhase.CLOSED;
        refuseRequests();
        setClosed();
        LifecycleEvents.closing(this, false, false).closed();
    }
}
