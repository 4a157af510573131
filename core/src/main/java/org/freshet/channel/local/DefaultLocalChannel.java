package org.freshet.channel.local;

import static org.freshet.channel.Channels.fireChannelOpen;
import static org.freshet.channel.Channels.fireMessageReceived;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.CloseReason;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdownException;
import org.freshet.channel.WriteOverflow;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.IoThreads;
import org.freshet.internal.transport.BoundedChannel;
import org.freshet.internal.transport.LifecycleEvents;
import org.freshet.internal.transport.SecondBindException;
import org.freshet.internal.transport.SerialChannel;
import org.freshet.internal.transport.SerialExecutor;
import org.freshet.internal.transport.StallTimer;
import org.freshet.internal.transport.TrafficMeter;
import org.freshet.internal.transport.WriteLimit;
import org.freshet.internal.transport.WriteStall;

/**
 * One end of a connection within the JVM.
 *
 * <p>Threading: any thread may call. Events run in the channel's {@link SerialExecutor} by {@link LocalEvents}; fields and methods
 * marked "Events only." belong to the thread that holds it.
 */
final class DefaultLocalChannel extends AbstractChannel
        implements LocalChannel, LocalEnd, SerialChannel, IoThreadBound, BoundedChannel, StallTimer.Queue {
    /** CONNECTING from the request until the server has made the other end. Any thread may change it, in one atomic step. */
    enum Phase {
        OPEN,
        BOUND,
        CONNECTING,
        CONNECTED,
        /** Connected; this end was asked to end its output. */
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

    /** Whether pending bytes have passed the high water mark, and not come down to the low one since. */
    private enum Congestion {
        CLEAR,
        /** A writer is making the channel unwritable, and queues the event that follows. */
        MARKING,
        /** The channel is unwritable; {@link #onPendingChanged} makes it writable again. */
        CONGESTED
    }

    /** Messages delivered in one event, before the events of other channels of the thread. */
    private static final int MESSAGES_AN_EVENT = 64;

    private static final VarHandle PHASE;
    private static final VarHandle CONGESTION;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PHASE = lookup.findVarHandle(DefaultLocalChannel.class, "phase", Phase.class);
            CONGESTION = lookup.findVarHandle(DefaultLocalChannel.class, "congestion", Congestion.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LocalConfig config = new LocalConfig();
    private final SerialExecutor serialExecutor = new SerialExecutor();

    /** Events only. */
    private final LifecycleEvents events;

    /** What this end has written. The other end takes from it. */
    private final Outbox outbox = new Outbox();

    /** Messages that were sent, without a writeComplete so far. */
    private final AtomicInteger unreportedWrites = new AtomicInteger();

    private final StallTimer stalls = new StallTimer(this);

    private volatile Congestion congestion = Congestion.CLEAR;

    /** The channels of the factory, this one included until it is closed. */
    private final Set<LocalEnd> live;

    private volatile Phase phase;

    /** Who completes this end's futures: the server while that makes the other end, then the other end; null before. */
    private volatile SerialChannel counterpart;

    /** The other end; set before the phase is CONNECTED, and kept after the close. */
    private volatile DefaultLocalChannel peer;

    /** Known from bind or connect on, and kept after the close. */
    private volatile LocalAddress localAddress;

    /** Known from connect on, and kept after the close. */
    private volatile LocalAddress remoteAddress;

    /** A client, to be connected. */
    DefaultLocalChannel(ChannelFactory factory, ChannelPipeline pipeline, Set<LocalEnd> live) {
        super(null, factory, pipeline, LocalSink.INSTANCE);
        this.live = live;
        events = LifecycleEvents.of(this, false);
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
        counterpart = client;
        localAddress = parent.getLocalAddress();
        remoteAddress = client.getLocalAddress();
        events = LifecycleEvents.of(this, true);
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
    public boolean runsEvents() {
        return serialExecutor.isHeldByCurrentThread();
    }

    /** What is awaited may be up to other channels, of the server or the other end, whose events run on the same thread. */
    @Override
    public boolean onAwaitBegins(BooleanSupplier isDone) {
        LocalEvents.runWaiting(isDone);
        SerialChannel other = counterpart;
        return inIoThread() || other != null && other.serialExecutor().isHeldByCurrentThread();
    }

    private void later(Runnable event) {
        LocalEvents.later(serialExecutor, event);
    }

    /** Fires exceptionCaught too, unless the channel was closed: channelClosed may have been the last event. */
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
        if (phase == Phase.CLOSED) { // whoever closed this end may have come before the name
            LocalNames.release(claimed, this);
            throw ChannelClosedException.of(this);
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

    /** The server has made the other end; false if this end has been closed meanwhile. */
    boolean onAccepted(DefaultLocalChannel child, ChannelFuture future) {
        peer = child;
        counterpart = child;
        remoteAddress = child.getLocalAddress();
        if (!PHASE.compareAndSet(this, Phase.CONNECTING, Phase.CONNECTED)) {
            future.setFailure(ChannelClosedException.of(this));
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
            events.openAccepted();
            announceConnected();
        });
    }

    private void announceConnected() {
        events.connected(localAddress, remoteAddress);
        takeMessages();
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    /** Leaves the message to the other end. */
    void write(MessageEvent message) {
        switch (phase) {
            case CONNECTED, INPUT_ENDED -> sendWithinLimit(message);
            case OUTPUT_ENDED -> message.getFuture().setFailure(new OutputShutdownException());
            case CLOSED -> message.getFuture().setFailure(ChannelClosedException.of(this));
            default -> message.getFuture().setFailure(new NotYetConnectedException());
        }
    }

    private void sendWithinLimit(MessageEvent message) {
        Exception refusal = overflow(message);
        if (refusal == null) {
            send(message);
            if (stallMillis() > 0) {
                stalls.onQueued();
            }
        } else {
            message.getFuture().setFailure(refusal);
        }
    }

    /** Returns null if the message may wait. Writers that ask at the same time may each add one. */
    private Exception overflow(MessageEvent message) {
        int limit = writeLimitBytes();
        if (limit == 0) {
            return null;
        }
        long bytes = Outbox.bytesOf(message.getMessage());
        BooleanSupplier hasRoom = () -> WriteLimit.hasRoom(limit, outbox.pendingBytes(), bytes);
        return hasRoom.getAsBoolean() || WriteLimit.isDecidedAbove(this)
                ? null
                : WriteLimit.refusal(this, bytes, hasRoom);
    }

    private void send(MessageEvent event) {
        DefaultLocalChannel to = peer;
        Outbox.Message message = outbox.add(event);
        if (outbox.pendingBytes() > config.waterMarks().high()) {
            markCongested();
        }
        if (phase == Phase.CLOSED || to.phase == Phase.CLOSED) { // whoever closed an end may have missed the message
            outbox.fail(
                    message,
                    new ChannelClosedException(phase == Phase.CLOSED ? getCloseReason() : CloseReason.PEER_CLOSED));
        }
        to.later(to::takeMessages);
    }

    /** Leaves the end to the other end, behind what was written before. With both directions ended, the channel closes. */
    void shutdownOutput(MessageEvent request) {
        boolean isFirst = PHASE.compareAndSet(this, Phase.CONNECTED, Phase.OUTPUT_ENDED);
        Phase now = phase;
        if (isFirst || now == Phase.OUTPUT_ENDED) {
            send(request);
        } else if (now == Phase.INPUT_ENDED) {
            send(request);
            closeNow(CloseReason.COMPLETED);
        } else {
            write(request); // which fails
        }
    }

    @Override
    public long queuedBytes() {
        return outbox.pendingBytes();
    }

    @Override
    public int writeLimitBytes() {
        int limit = config.writeBound().limitBytes();
        return limit == 0 ? 0 : Math.max(limit, config.waterMarks().high());
    }

    @Override
    public WriteOverflow writeOverflow() {
        return config.writeBound().overflow();
    }

    /** Also where events run on the thread, among which may be those by which the other end takes the messages. */
    @Override
    public boolean isOnIoThread() {
        return IoThreads.isCurrent() || LocalEvents.areRunByCurrentThread();
    }

    @Override
    public Object head() {
        return phase == Phase.CLOSED ? null : outbox.peek();
    }

    /** A message is taken as a whole. */
    @Override
    public long sentBytes() {
        return 0;
    }

    @Override
    public int stallMillis() {
        return config.writeBound().stallMillis();
    }

    @Override
    public void onStalled(int stallMillis) {
        giveUp(WriteStall.reason(stallMillis, outbox.pendingBytes()));
    }

    private void markCongested() {
        if (congestion == Congestion.CLEAR && CONGESTION.compareAndSet(this, Congestion.CLEAR, Congestion.MARKING)) {
            boolean changed = setUnwritable();
            congestion = Congestion.CONGESTED;
            later(() -> onCongested(changed));
        }
    }

    private void onCongested(boolean changed) {
        if (changed) {
            events.writability();
        }
        onPendingChanged();
    }

    /** Events only. The other end has taken messages. */
    private void onTaken() {
        announceWritten();
        onPendingChanged();
    }

    private void onPendingChanged() {
        if (congestion != Congestion.CONGESTED
                || outbox.pendingBytes() > config.waterMarks().low()) {
            return;
        }
        boolean changed = setWritable();
        congestion = Congestion.CLEAR;
        if (outbox.pendingBytes() > config.waterMarks().high()) { // by a writer that saw the channel marked
            markCongested();
        }
        if (changed) {
            events.writability();
        }
    }

    /** The unit of "how much" is messages here. */
    private void announceWritten() {
        events.written(unreportedWrites.getAndSet(0));
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    /** Events only. Passes on what the other end has written, if it is wanted, and follows the other end's close. */
    private void takeMessages() {
        if (!phase.mayReceive()) {
            if (phase == Phase.INPUT_ENDED && peer.phase == Phase.CLOSED) {
                closeNow(CloseReason.PEER_CLOSED);
            }
            return;
        }
        events.readability(); // the change of interest that lets a message come precedes it
        for (int i = 0; i < MESSAGES_AN_EVENT && mayDeliver(); i++) {
            Outbox.Message message = peer.outbox.take();
            if (message == null) {
                followPeersClose();
                return;
            }
            if (message.isEnd()) {
                onInputEnds(message);
                return;
            }
            deliver(message);
        }
        if (mayDeliver()) {
            later(this::takeMessages);
        }
    }

    private boolean mayDeliver() {
        return phase.mayReceive() && events.isConnected() && isReadable();
    }

    private void onInputEnds(Outbox.Message end) {
        DefaultLocalChannel from = peer;
        from.outbox.succeed(end);
        from.outbox.end();
        if (config.isAllowHalfClosure() && PHASE.compareAndSet(this, Phase.CONNECTED, Phase.INPUT_ENDED)) {
            getPipeline().sendUpstream(new InputShutdownEvent(this));
            takeMessages(); // follows a close of the other end that came meanwhile
        } else {
            closeNow(phase == Phase.OUTPUT_ENDED ? CloseReason.COMPLETED : CloseReason.PEER_CLOSED);
        }
    }

    private void followPeersClose() {
        if (peer.phase == Phase.CLOSED) {
            if (peer.outbox.isEmpty()) {
                closeNow(CloseReason.PEER_CLOSED);
            } else {
                later(this::takeMessages); // written between the look into the queue and the close
            }
        }
    }

    private void deliver(Outbox.Message message) {
        DefaultLocalChannel from = peer;
        if (from.outbox.succeed(message)) {
            from.unreportedWrites.incrementAndGet();
            from.later(from::onTaken);
        }
        if (message.content() instanceof ChannelBuffer bytes) {
            TrafficMeter.read(this, bytes.readableBytes());
            TrafficMeter.written(from, bytes.readableBytes());
        }
        fireMessageReceived(this, message.content());
    }

    void changeInterest(ChannelFuture future, int interestOps) {
        setInternalInterestOps(interestOps & OP_READ);
        future.setSuccess();
        later(() -> {
            events.readability();
            takeMessages();
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

    /** What this end has written is lost, for the other end is too slow. */
    @Override
    public void giveUp(CloseReason reason) {
        setClosing(reason);
        outbox.failAll(getCloseReason());
        closeNow(reason);
    }

    /** What this end has written stays for the other end to take, and counts as sent. */
    private void closeNow(CloseReason reason) {
        setClosing(reason);
        if (PHASE.getAndSet(this, Phase.CLOSED) == Phase.CLOSED) {
            return;
        }
        if (localAddress != null) {
            LocalNames.release(localAddress, this);
        }
        DefaultLocalChannel other = peer;
        if (other != null) {
            endWrites(other);
        }
        setClosed();
        if (other != null) {
            other.onPeerClosed();
        }
        later(this::announceEnd);
    }

    private void endWrites(DefaultLocalChannel other) {
        other.outbox.failAll(CloseReason.PEER_CLOSED);
        if (other.phase == Phase.CLOSED) {
            outbox.failAll(getCloseReason());
        } else {
            unreportedWrites.addAndGet(outbox.succeedAll());
        }
    }

    /** Closes this end too, after what has come before. */
    void onPeerClosed() {
        later(this::takeMessages);
    }

    private void announceEnd() {
        try {
            announceWritten();
            events.closed();
        } finally {
            live.remove(this);
        }
    }
}
