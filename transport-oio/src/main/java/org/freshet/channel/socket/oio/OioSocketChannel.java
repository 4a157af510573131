package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.CloseReason;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdownException;
import org.freshet.channel.WriteMarks;
import org.freshet.channel.socket.SocketChannel;
import org.freshet.internal.EmptiedAccounts;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.telemetry.ConnectionCounters;
import org.freshet.internal.transport.BrokenOutput;
import org.freshet.internal.transport.NewSockets;
import org.freshet.internal.transport.SecondBindException;
import org.freshet.internal.write.OutgoingMessage;

/**
 * A TCP connection, accepted or made, on a blocking socket with its own thread.
 *
 * <p>Threading: as in {@link OioChannel}. The I/O thread connects, reads and reports the end. It starts when the
 * connection is accepted or requested. Writing and closing happen on the caller's thread.
 */
final class OioSocketChannel extends OioChannel
        implements SocketChannel, WriteMarks, WriterQueue.Target, ConnectionCounters.Source {
    private static final VarHandle PHASE;

    static {
        try {
            PHASE = MethodHandles.lookup().findVarHandle(OioSocketChannel.class, "phase", ConnectionPhase.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Replaced if a {@link NamedConnect} connected another socket. The I/O thread changes it before the phase. */
    private volatile Socket socket;

    private final OioSocketConfig config;
    private final ThreadStarter threads;
    private final WriterQueue writes = new WriterQueue(this, serialExecutor());

    /** Used by the writing thread; null until the first write. */
    private BlockingStreamSender sender;

    private volatile ConnectionPhase phase;

    /** Null unless the phase is or was OUTPUT_BROKEN. Written by the writer, before the phase. */
    private LastReads lastReads;

    /** Null until a connect was requested; kept after the close. */
    private volatile InetSocketAddress remoteAddress;

    /**
     * Creates a channel whose thread is started later.
     *
     * @param socket connected if {@code parent} has accepted it, otherwise new
     */
    OioSocketChannel(
            Channel parent,
            ChannelFactory factory,
            ChannelPipeline pipeline,
            ChannelSink sink,
            Socket socket,
            LiveChannels live,
            ThreadStarter threads) {
        super(parent, factory, pipeline, sink, live);
        this.socket = socket;
        this.threads = threads;
        config = new OioSocketConfig(socket);
        phase = parent == null ? ConnectionPhase.OPEN : ConnectionPhase.CONNECTED;
        if (parent != null) {
            rememberAddresses();
        }
    }

    private void rememberAddresses() {
        rememberLocalAddress(socket.getLocalSocketAddress());
        remoteAddress = (InetSocketAddress) socket.getRemoteSocketAddress();
    }

    @Override
    public OioSocketConfig getConfig() {
        return config;
    }

    @Override
    public boolean isBound() {
        ConnectionPhase now = phase;
        return now == ConnectionPhase.BOUND
                || now.isConnected()
                || now == ConnectionPhase.CONNECTING && getLocalAddress() != null;
    }

    @Override
    public boolean isConnected() {
        return phase.isConnected();
    }

    @Override
    boolean isClosing() {
        return phase == ConnectionPhase.CLOSED;
    }

    @Override
    boolean mayReceive() {
        return phase.mayReceive();
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return remoteAddress;
    }

    /** Also true for a thread that is writing, since it completes the futures of others. */
    @Override
    public boolean inIoThread() {
        return super.inIoThread() || writes.isWriter();
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

    @Override
    void bind(ChannelFuture future, SocketAddress address) {
        try {
            refuseUnlessOpen();
            socket.bind(address);
            rememberLocalAddress(socket.getLocalSocketAddress());
            if (!PHASE.compareAndSet(this, ConnectionPhase.OPEN, ConnectionPhase.BOUND)) {
                throw ChannelClosedException.of(this);
            }
        } catch (IOException | RuntimeException e) {
            fail(future, e);
            return;
        }
        future.setSuccess();
        serialExecutor().execute(this::announceBound);
    }

    private void refuseUnlessOpen() throws ClosedChannelException {
        if (phase == ConnectionPhase.CLOSED) {
            throw ChannelClosedException.of(this);
        }
        if (phase != ConnectionPhase.OPEN) {
            throw new SecondBindException(getLocalAddress());
        }
    }

    /** Starts the I/O thread, which connects. */
    @Override
    void connect(ChannelFuture future, SocketAddress remote) {
        Exception refusal = enterConnecting();
        if (refusal != null) {
            fail(future, refusal);
            return;
        }
        future.addListener(this::closeIfCancelled);
        try {
            startIoThread(threads, "connection", () -> connectNow(future, remote));
        } catch (Throwable e) { // refused, or no thread could be created
            CloseReason reason = CloseReason.of(CloseReason.Kind.CONNECT_FAILED, null, e);
            noteCloseReason(reason);
            try {
                fail(future, e);
            } finally {
                abandon(reason);
            }
        }
    }

    /** The socket as it is now: a connect by name may have replaced it. */
    private void closeSocket() throws IOException {
        socket.close();
    }

    private void closeIfCancelled(ChannelFuture connect) {
        if (connect.isCancelled()) {
            closeNow(CloseReason.LOCAL);
        }
    }

    /** Enters CONNECTING. Returns the reason if the channel cannot be connected now, or null. */
    private Exception enterConnecting() {
        if (PHASE.compareAndSet(this, ConnectionPhase.OPEN, ConnectionPhase.CONNECTING)
                || PHASE.compareAndSet(this, ConnectionPhase.BOUND, ConnectionPhase.CONNECTING)) {
            return null;
        }
        return switch (phase) {
            case CONNECTING -> new ConnectionPendingException();
            case CONNECTED, OUTPUT_ENDED, OUTPUT_BROKEN, INPUT_ENDED -> new AlreadyConnectedException();
            default -> ChannelClosedException.of(this);
        };
    }

    /**
     * Starts an accepted connection, after the parent's childChannelOpen.
     *
     * @throws RejectedExecutionException if the executor refuses; the connection has been closed then
     */
    void startAccepted() {
        try {
            startIoThread(threads, "connection", this::openAccepted);
        } catch (Throwable e) { // refused, or no thread could be created
            abandon(CloseReason.of(CloseReason.Kind.REFUSED, null, e));
            throw e;
        }
    }

    /** Closes a channel for which no thread could be started. */
    void abandon(CloseReason reason) {
        closeNow(reason);
        announceEndWithoutThread();
    }

    // ---- the I/O thread ---------------------------------------------------------------------------------------------

    private void openAccepted() {
        runEvent(() -> announceAccepted(remoteAddress));
    }

    private void connectNow(ChannelFuture future, SocketAddress remote) {
        try {
            if (remote instanceof InetSocketAddress target && target.isUnresolved()) {
                connectByName(target);
            } else {
                socket.connect(remote, config.getConnectTimeoutMillis());
            }
            rememberAddresses();
            if (!PHASE.compareAndSet(this, ConnectionPhase.CONNECTING, ConnectionPhase.CONNECTED)) {
                NewSockets.closeQuietly(socket); // a concurrent close may have closed the previous socket
                throw ChannelClosedException.of(this);
            }
        } catch (IOException | RuntimeException e) {
            boolean isNamed = remote instanceof InetSocketAddress target && target.isUnresolved();
            Exception cause = explain(isNamed ? e : ConnectFailures.named(e, remote, config.getConnectTimeoutMillis()));
            noteCloseReason(CloseReason.of(CloseReason.Kind.CONNECT_FAILED, null, cause));
            future.setFailure(cause);
            if (!(cause instanceof ClosedChannelException)) { // no event may follow a close
                runEvent(() -> announceFailure(cause));
            }
            return;
        } catch (Error e) { // it ends the I/O thread, which closes the channel
            future.setFailure(e);
            throw e;
        }
        runEvent(() -> {
            future.setSuccess();
            announceConnected(remoteAddress);
        });
    }

    private void connectByName(InetSocketAddress target) throws IOException {
        Socket before = socket;
        Socket connected = new NamedConnect(target, before, config, () -> phase != ConnectionPhase.CONNECTING)
                .connect(getLocalAddress());
        if (connected == null) {
            throw ChannelClosedException.of(this);
        }
        if (connected != before) {
            socket = connected;
            config.changeSocket(connected);
            NewSockets.closeQuietly(before);
        }
    }

    @Override
    void readToEnd() throws IOException {
        if (!mayReceive()) {
            return;
        }
        try {
            new SocketReader(this, socket.getInputStream()).run();
        } catch (IOException e) {
            ConnectionPhase now = phase;
            if (now != ConnectionPhase.CLOSED
                    && now != ConnectionPhase.OUTPUT_BROKEN) { // otherwise handlers have been notified
                throw e;
            }
        }
        if (config.isAllowHalfClosure()
                && PHASE.compareAndSet(this, ConnectionPhase.CONNECTED, ConnectionPhase.INPUT_ENDED)) {
            runEvent(() -> getPipeline().sendUpstream(new InputShutdownEvent(this)));
            awaitClose();
        } else {
            noteCloseReason(phase == ConnectionPhase.OUTPUT_ENDED ? CloseReason.COMPLETED : CloseReason.PEER_CLOSED);
            writes.send(QueuedWrite.marker()); // a peer that has only stopped sending still gets answers in progress
        }
    }

    /** I/O thread only. */
    private void awaitClose() {
        while (phase != ConnectionPhase.CLOSED) {
            LockSupport.park(this);
            Thread.interrupted(); // clear it: a pending interrupt would keep park from waiting
        }
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    @Override
    public boolean isWriteBlocking() {
        return true;
    }

    /**
     * Blocks until the message is sent or has failed. Does not wait if called by a listener of a write or by a
     * time-out.
     */
    @Override
    void write(MessageEvent event) {
        QueuedWrite message;
        try {
            message = QueuedWrite.of(event);
        } catch (IllegalArgumentException e) {
            UnsentMessage.release(event.getMessage());
            fail(event.getFuture(), phase == ConnectionPhase.CLOSED ? ChannelClosedException.of(this) : e);
            return;
        }
        Exception refusal = admitWaitingWrite(message.message.chargedBytes());
        if (refusal == null) {
            reportSent(writes.send(message)); // the writer waits here until the message has been sent
        } else {
            message.message.complete(refusal);
        }
    }

    /** No marks: a writer waits until its message has been sent. */
    @Override
    public int highWaterMark() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int lowWaterMark() {
        return Integer.MAX_VALUE;
    }

    /** Limits the bytes held by handlers. */
    @Override
    public int limitBytes() {
        return config.writeBound().limitBytes();
    }

    /** False on the thread that runs the events: a handler may be waiting for it. */
    @Override
    public boolean mayBlock() {
        return !inIoThread();
    }

    /** Closes without asking the handlers, one of which may be holding the bytes. */
    @Override
    protected void giveUp(CloseReason reason) {
        closeNow(reason);
    }

    @Override
    public void onLeft(OutgoingMessage message) {
        releaseWrite(message.chargedBytes());
    }

    @Override
    public Exception refusal(OutgoingMessage message) {
        return switch (phase) {
            case CONNECTED, INPUT_ENDED -> null;
            case OUTPUT_ENDED -> message.isOutputEnd() ? null : new OutputShutdownException();
            case OUTPUT_BROKEN, CLOSED -> new ChannelClosedException(notedCloseReason());
            default -> new NotYetConnectedException();
        };
    }

    @Override
    public void send(OutgoingMessage message) throws IOException {
        try {
            if (message.isOutputEnd()) {
                shutDownOutput();
            } else {
                sender().send(message);
            }
        } catch (IOException e) {
            EmptiedAccounts.onLosing(this);
            if (phase == ConnectionPhase.CLOSED) {
                throw closedBy(e);
            }
            noteCloseReason(failureToSend(e)); // before the message's listeners, which may close the channel
            throw e;
        }
    }

    private static CloseReason failureToSend(Throwable cause) {
        return CloseReason.ofFailure(CloseReason.Kind.WRITE_FAILED, cause);
    }

    /** Shuts down the output. If the input has ended too, only the close is left. Called on the writing thread. */
    private void shutDownOutput() throws IOException {
        if (phase == ConnectionPhase.OUTPUT_ENDED) {
            return;
        }
        socket.shutdownOutput();
        if (!PHASE.compareAndSet(this, ConnectionPhase.CONNECTED, ConnectionPhase.OUTPUT_ENDED)) {
            closeNow(CloseReason.COMPLETED);
        }
    }

    private BlockingStreamSender sender() throws IOException {
        if (sender == null) {
            sender = new BlockingStreamSender(this, socket.getOutputStream());
        }
        return sender;
    }

    @Override
    public void onSendFailed(Throwable cause) {
        if (phase == ConnectionPhase.CLOSED) {
            return;
        }
        CloseReason reason = failureToSend(cause);
        boolean readsOn = false;
        try {
            reportLater(cause);
            readsOn = BrokenOutput.leavesInput(reason) && enterOutputBroken();
        } finally { // even out of memory
            if (!readsOn) {
                closeNow(reason);
            }
        }
    }

    /**
     * Lets the I/O thread read to the end and then close. Returns false if there is nothing to read. Called on the
     * writing thread.
     */
    private boolean enterOutputBroken() {
        LastReads reads = new LastReads(this);
        lastReads = reads;
        boolean isEntered = PHASE.compareAndSet(this, ConnectionPhase.CONNECTED, ConnectionPhase.OUTPUT_BROKEN);
        if (isEntered) {
            reads.begin();
        }
        return isEntered;
    }

    /** Called when something was read, before handlers receive it. I/O thread only. */
    void onRead() {
        if (phase == ConnectionPhase.OUTPUT_BROKEN) {
            lastReads.onRead();
        }
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    /** Closes: a TCP channel cannot connect again. */
    @Override
    void disconnect(ChannelFuture future) {
        close(future);
    }

    /**
     * If called by a listener of a write, the messages that it has written are sent first. An urgent task, which the
     * writer may run before it blocks, closes at once.
     */
    @Override
    void close(ChannelFuture future) {
        if (!writes.isWriter() || serialExecutor().isBorrowedByCurrentThread()) {
            super.close(future);
            return;
        }
        getCloseFuture().addListener(closed -> future.setSuccess());
        writes.enqueue(QueuedWrite.action(() -> closeNow(CloseReason.LOCAL)));
    }

    /** Queued writes fail first, then the close future completes. */
    @Override
    void closeNow(CloseReason reason) {
        setClosing(reason);
        if (phase == ConnectionPhase.CLOSED) {
            return;
        }
        SocketClose socketClose = new SocketClose(this::closeSocket, this::reportLater);
        ConnectionPhase before;
        QueuedWrite last;
        do {
            before = phase;
            if (before == ConnectionPhase.CLOSED) {
                return;
            }
            boolean hasIoThread = before == ConnectionPhase.CONNECTING || before.isConnected();
            last = QueuedWrite.action(
                    () -> completeClose(hasIoThread)); // first: a close without memory can begin again
        } while (!PHASE.compareAndSet(this, before, ConnectionPhase.CLOSED));
        try {
            socketClose.run();
            if (before == ConnectionPhase.OUTPUT_BROKEN) {
                lastReads.end();
            }
        } finally { // even out of memory: the I/O thread and the factory's shutdown wait for the close
            writes.enqueue(last);
        }
    }

    private void completeClose(boolean hasIoThread) {
        setClosed();
        if (hasIoThread) {
            wakeIoThread();
        } else {
            announceEndWithoutThread();
        }
    }
}
