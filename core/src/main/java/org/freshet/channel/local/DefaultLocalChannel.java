package org.freshet.channel.local;

import static org.freshet.channel.Channels.fireChannelOpen;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdownException;
import org.freshet.channel.WriteMarks;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.request.SerialExecutor;
import org.freshet.internal.telemetry.ConnectionCounters;
import org.freshet.internal.transport.LastSteps;
import org.freshet.internal.transport.LifecycleEvents;
import org.freshet.internal.transport.SecondBindException;

/**
 * One end of a connection within the JVM.
 *
 * <p>Threading: any thread may call any method. {@link LocalEvents} runs the events in the channel's {@link SerialExecutor}; fields and
 * methods marked "Events only." belong to the thread that holds it.
 */
final class DefaultLocalChannel extends AbstractChannel
        implements LocalChannel, LocalEnd, SerialChannel, IoThreadBound, WriteMarks, ConnectionCounters.Source {
    /** CONNECTING lasts from the request until the server has created the other end. Any thread may change it, in one atomic step. */
    enum Phase {
        OPEN,
        BOUND,
        CONNECTING,
        CONNECTED,
        /** Connected; this end has been asked to end its output. */
        OUTPUT_ENDED,
        /** Connected; the other end has ended its output, and half-closure is allowed. */
        INPUT_ENDED,
        CLOSED;

        boolean isConnected() {
            return this == CONNECTED || this == OUTPUT_ENDED || this == INPUT_ENDED;
        }

        boolean mayReceive() {
            return this == CONNECTED || this == OUTPUT_ENDED;
        }
    }

    private static final VarHandle PHASE;

    static {
        try {
            PHASE = MethodHandles.lookup().findVarHandle(DefaultLocalChannel.class, "phase", Phase.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LocalConfig config = new LocalConfig();
    private final SerialExecutor serialExecutor = new SerialExecutor();

    /** Events only. */
    private final LifecycleEvents events;

    /** The messages this end has written. */
    private final LocalWrites writes;

    /** Takes the messages that the other end has written. */
    private final LocalReads reads;

    /** The channels of the factory, including this one until it is closed. */
    private final Set<LocalEnd> live;

    /** What follows once the phase is CLOSED. */
    private final LastSteps lastSteps = new LastSteps(this::finishClose, this::announceEnd, this::forget);

    private volatile Phase phase;

    /** The channel that completes this end's futures: the server while it creates the other end, then the other end; null before. */
    private volatile SerialChannel counterpart;

    /** The other end; set before the phase is CONNECTED, and kept after the close. */
    private volatile DefaultLocalChannel peer;

    /** Known from the bind or connect on, and kept after the close. */
    private volatile LocalAddress localAddress;

    /** Known from the connect on, and kept after the close. */
    private volatile LocalAddress remoteAddress;

    /** Creates a client, to be connected. */
    DefaultLocalChannel(ChannelFactory factory, ChannelPipeline pipeline, Set<LocalEnd> live) {
        super(null, factory, pipeline, LocalSink.INSTANCE);
        this.live = live;
        events = LifecycleEvents.of(this, false);
        writes = new LocalWrites(this, config, events);
        reads = new LocalReads(this, config, events);
        phase = Phase.OPEN;
        live.add(this);
    }

    /** Creates the end that a server makes for a client. */
    DefaultLocalChannel(
            DefaultLocalServerChannel parent,
            ChannelPipeline pipeline,
            Set<LocalEnd> live,
            DefaultLocalChannel client) {
        super(parent, parent.getFactory(), pipeline, LocalSink.INSTANCE);
        this.live = live;
        peer = client;
        counterpart = client;
        localAddress = parent.getLocalAddress();
        remoteAddress = client.getLocalAddress();
        events = LifecycleEvents.of(this, true);
        writes = new LocalWrites(this, config, events);
        reads = new LocalReads(this, config, events);
        phase = Phase.CONNECTED;
        live.add(this);
    }

    @Override
    public ConnectionCounters connectionCounters() {
        return ((ConnectionCounters.Source) getFactory()).connectionCounters();
    }

    @Override
    public ChannelConfig getConfig() {
        return config;
    }

    @Override
    public boolean isBound() {
        Phase now = phase;
        return now == Phase.BOUND || now.isConnected() || now == Phase.CONNECTING && localAddress != null;
    }

    @Override
    public boolean isConnected() {
        return phase.isConnected();
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

    @Override
    public void runLater(Runnable task) {
        LocalEvents.later(serialExecutor, task);
    }

    @Override
    public boolean runsEvents() {
        return serialExecutor.isHeldByCurrentThread();
    }

    /** The future may depend on other channels, of the server or the other end, whose events run on the same thread. */
    @Override
    public boolean onAwaitBegins(BooleanSupplier isDone) {
        LocalEvents.runWaiting(isDone);
        SerialChannel other = counterpart;
        return inIoThread() || other != null && other.serialExecutor().isHeldByCurrentThread();
    }

    boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    /** Null before the channel is connected. */
    DefaultLocalChannel peer() {
        return peer;
    }

    void later(Runnable event) {
        LocalEvents.later(serialExecutor, event);
    }

    /** Also fires exceptionCaught, unless the channel was closed: channelClosed may have been the last event. */
    private void fail(ChannelFuture future, Exception cause) {
        future.setFailure(cause);
        if (!(cause instanceof ClosedChannelException)) {
            later(() -> events.failed(cause));
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
                throw ChannelClosedException.of(this);
            }
        } catch (IOException | RuntimeException e) {
            fail(future, e);
            return;
        }
        future.setSuccess();
        later(() -> events.bound(localAddress));
    }

    private void refuseUnlessOpen() throws ClosedChannelException {
        if (phase == Phase.CLOSED) {
            throw ChannelClosedException.of(this);
        }
        if (phase != Phase.OPEN) {
            throw new SecondBindException(localAddress);
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
            counterpart = server;
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
        if (phase == Phase.CLOSED) { // this end may have been closed before the name was set
            LocalNames.release(claimed, this);
            throw ChannelClosedException.of(this);
        }
    }

    /** Returns the cause if the channel cannot be connected now, otherwise null. */
    private Exception enterConnecting() {
        if (PHASE.compareAndSet(this, Phase.OPEN, Phase.CONNECTING)
                || PHASE.compareAndSet(this, Phase.BOUND, Phase.CONNECTING)) {
            return null;
        }
        return switch (phase) {
            case CONNECTING -> new ConnectionPendingException();
            case CONNECTED, OUTPUT_ENDED, INPUT_ENDED -> new AlreadyConnectedException();
            default -> ChannelClosedException.of(this);
        };
    }

    private void closeIfCancelled(ChannelFuture connect) {
        if (connect.isCancelled()) {
            closeNow(CloseReason.LOCAL);
        }
    }

    void onConnectFailed(ChannelFuture future, Exception cause) {
        CloseReason reason = CloseReason.of(CloseReason.Kind.CONNECT_FAILED, null, cause);
        noteCloseReason(reason);
        fail(future, cause);
        closeNow(reason);
    }

    /** Called when the server has created the other end; returns false if this end has been closed in the meantime. */
    boolean onAccepted(DefaultLocalChannel child, ChannelFuture future) {
        peer = child;
        counterpart = child;
        remoteAddress = child.getLocalAddress();
        if (!PHASE.compareAndSet(this, Phase.CONNECTING, Phase.CONNECTED)) {
            future.setFailure(ChannelClosedException.of(this));
            return false;
        }
        later(() -> openOrClose(() -> {
            future.setSuccess();
            announceConnected();
        }));
        return true;
    }

    /** Called when the server has announced this child; its own life cycle starts here. */
    void startAccepted() {
        later(() -> openOrClose(() -> {
            events.openAccepted();
            announceConnected();
        }));
    }

    private void announceConnected() {
        events.connected(localAddress, remoteAddress);
        reads.take();
    }

    /** Nothing repeats these events, and without them the channel neither receives nor follows the other end's close. */
    private void openOrClose(Runnable opening) {
        try {
            opening.run();
        } catch (VirtualMachineError noMemory) {
            HeapReserve.onFailure(noMemory);
            closeNow(CloseReason.of(CloseReason.Kind.HANDLER_FAILED));
        }
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    /** Queues the message for the other end. */
    void write(MessageEvent message) {
        switch (phase) {
            case CONNECTED, INPUT_ENDED -> writes.send(message);
            case OUTPUT_ENDED -> UnsentMessage.fail(message, new OutputShutdownException());
            case CLOSED -> UnsentMessage.fail(message, UnsentMessage.causeOfClosed(this));
            default -> UnsentMessage.fail(message, new NotYetConnectedException());
        }
    }

    /**
     * Queues the end of the output for the other end, after everything written before. Once both directions have ended, the channel closes.
     */
    void shutdownOutput(MessageEvent request) {
        boolean isFirst = PHASE.compareAndSet(this, Phase.CONNECTED, Phase.OUTPUT_ENDED);
        Phase now = phase;
        if (isFirst || now == Phase.OUTPUT_ENDED) {
            writes.sendEnd(request);
        } else if (now == Phase.INPUT_ENDED) {
            writes.sendEnd(request);
            closeNow(CloseReason.COMPLETED);
        } else {
            write(request); // it fails
        }
    }

    // ---- backlog ----------------------------------------------------------------------------------------------------

    @Override
    public int highWaterMark() {
        return config.waterMarks().high();
    }

    @Override
    public int lowWaterMark() {
        return config.waterMarks().low();
    }

    @Override
    public int limitBytes() {
        int limit = config.writeBound().limitBytes();
        return limit == 0 ? 0 : Math.max(limit, highWaterMark());
    }

    /** Also false on a thread that runs local events: these may include the ones by which the other end takes the messages. */
    @Override
    public boolean mayBlock() {
        return WriteMarks.super.mayBlock() && !LocalEvents.areRunByCurrentThread();
    }

    Exception admit(long bytes) {
        return admitWrite(bytes);
    }

    void release(long bytes) {
        releaseWrite(bytes);
    }

    boolean isUnsettled() {
        return isWritabilityStale();
    }

    /** Events only. */
    void settleNow() {
        updateWritability();
    }

    @Override
    protected void fireWritabilityChanged() {
        events.writability();
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    /** Called when the other end has written something or has closed. */
    void takeLater() {
        later(reads::take);
    }

    boolean mayReceive() {
        return phase.mayReceive();
    }

    /** Called when the other end has ended its output and half-closure is allowed; returns false if this end's output has ended, too. */
    boolean endInput() {
        return PHASE.compareAndSet(this, Phase.CONNECTED, Phase.INPUT_ENDED);
    }

    boolean hasInputEnded() {
        return phase == Phase.INPUT_ENDED;
    }

    boolean hasOutputEnded() {
        return phase == Phase.OUTPUT_ENDED;
    }

    LocalWrites writes() {
        return writes;
    }

    void changeInterest(ChannelFuture future, int interestOps) {
        setInternalInterestOps(interestOps & OP_READ);
        future.setSuccess();
        later(() -> {
            events.readability();
            reads.take();
        });
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    void close(ChannelFuture future) {
        if (future != getCloseFuture()) {
            getCloseFuture().addListener(closed -> future.setSuccess());
        }
        closeNow(CloseReason.LOCAL);
    }

    @Override
    public void onShutdown() {
        closeNow(CloseReason.SHUTDOWN);
    }

    /** Drops what this end has written: the other end is too slow. */
    @Override
    public void giveUp(CloseReason reason) {
        setClosing(reason);
        writes.outbox().failAll(getCloseReason());
        closeNow(reason);
    }

    /** What this end has written stays available to the other end, and counts as sent. */
    void closeNow(CloseReason reason) {
        setClosing(reason);
        if (PHASE.getAndSet(this, Phase.CLOSED) != Phase.CLOSED) {
            lastSteps.run();
        }
    }

    /** May be called again after an OutOfMemoryError. */
    private void finishClose(Runnable lastEvents) {
        if (localAddress != null) {
            LocalNames.release(localAddress, this);
        }
        DefaultLocalChannel other = peer;
        if (other != null) {
            endWrites(other);
        }
        setClosed();
        if (other != null) {
            other.takeLater();
        }
        later(lastEvents);
    }

    private void endWrites(DefaultLocalChannel other) {
        other.writes.outbox().failAll(CloseReason.PEER_CLOSED);
        if (other.isClosed()) {
            writes.outbox().failAll(getCloseReason());
        } else {
            writes.succeedAll();
        }
    }

    private void announceEnd() {
        writes.announceWritten();
        events.closed();
    }

    private void forget() {
        live.remove(this);
    }
}
