package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireChannelBound;
import static org.freshet.channel.Channels.fireChannelOpen;
import static org.freshet.channel.Channels.fireExceptionCaught;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.AbstractServerChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultChildChannelStateEvent;
import org.freshet.channel.socket.ServerSocketChannelConfig;
import org.freshet.channel.socket.nio.loop.Deadlines;
import org.freshet.channel.socket.nio.loop.LoopChannel;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.flight.Flight;
import org.freshet.internal.transport.AcceptBackoff;
import org.freshet.internal.transport.AcceptedChannels;
import org.freshet.internal.transport.Admission;
import org.freshet.internal.transport.GuardedServer;
import org.freshet.internal.transport.SecondBindException;
import org.freshet.internal.transport.ServerLimits;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.telemetry.LoopSource;
import org.freshet.telemetry.LoopStats;

/**
 * A listening TCP socket, driven by one {@link NioServerBoss}, which hands accepted connections to workers.
 *
 * <p>Requests take effect in the order in which they were made, by whichever threads: see {@link ServerRequestQueue}.
 *
 * <p>Threading: public methods from anywhere; methods named {@code onX} run on the boss, which alone touches the socket.
 */
final class NioServerSocketChannel extends AbstractServerChannel
        implements org.freshet.channel.socket.ServerSocketChannel,
                LoopChannel.ClosableChannel,
                IoThreadBound,
                AcceptedChannels,
                GuardedServer,
                LoopSource {
    /** OPEN until bound; CLOSING from when a close is carried out until the end of the turn; CLOSED for good. */
    enum Phase {
        OPEN,
        BOUND,
        CLOSING,
        CLOSED
    }

    /** Connections accepted before the boss looks at its other servers. */
    private static final int MAX_ACCEPTS_A_TURN = 64;

    /** How long the count of the open connections may take when the first limit is set. A worker may be stuck. */
    private static final int MAX_COUNT_SECONDS = 10;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(NioServerSocketChannel.class);

    private final ServerSocketChannel socket;
    private final NioServerSocketConfig config;
    private final NioServerBoss boss;
    private final WorkerPool<NioWorker> workers;
    private final ChannelSink childSink;
    private final AcceptBackoff backoff = new AcceptBackoff();
    private final ServerRequestQueue requests = new ServerRequestQueue(this);

    /** The workers that have got connections of this server: few, and added to by the boss. */
    private final Set<NioLoop> childLoops = new CopyOnWriteArraySet<>();

    /** Written by the boss. */
    private volatile Phase phase = Phase.OPEN;

    /** Null until bound, and kept after the close. Written by the boss. */
    private volatile InetSocketAddress localAddress;

    /** Boss only. Null while all connections are taken. */
    private AcceptGate gate;

    /** Boss only. What Flight Recorder is to know when accepting goes on; null while it does, or nothing is recorded. */
    private Object pause;

    /** Boss only. Accepted while the first limit was being set, and next in turn for it; mostly null. */
    private SocketChannel held;

    /** Boss only. Whether the guard will tell when there is room. */
    private boolean awaitsRoom;

    /** Boss only. Null until bound. */
    private SelectionKey key;

    /** Boss only. Null until the socket is about to be closed. */
    private CloseSequence closeSequence;

    NioServerSocketChannel(
            ChannelFactory factory,
            ChannelPipeline pipeline,
            ChannelSink sink,
            ServerSocketChannel socket,
            NioServerBoss boss,
            WorkerPool<NioWorker> workers,
            ChannelSink childSink) {
        super(factory, pipeline, sink);
        this.socket = socket;
        this.boss = boss;
        this.workers = workers;
        this.childSink = childSink;
        config = new NioServerSocketConfig(socket);
    }

    NioServerBoss boss() {
        return boss;
    }

    @Override
    public List<LoopStats> loopStats() {
        return List.of(boss.stats());
    }

    @Override
    public ServerSocketChannelConfig getConfig() {
        return config;
    }

    @Override
    public boolean isBound() {
        return phase == Phase.BOUND && isOpen();
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return localAddress;
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return null;
    }

    @Override
    public boolean inIoThread() {
        return boss.inLoop();
    }

    @Override
    public ServerLimits limits() {
        return config.limits();
    }

    // ---- life -------------------------------------------------------------------------------------------------------

    void onOpened() {
        boss.onOpened(this);
        fireChannelOpen(this);
    }

    /** Any thread. */
    void bind(ChannelFuture future, SocketAddress address) {
        requests.carryOut(StateRequest.of(future, () -> onBind(future, address)));
    }

    private void onBind(ChannelFuture future, SocketAddress address) {
        try {
            if (isClosing()) {
                throw ChannelClosedException.of(this);
            }
            if (phase == Phase.BOUND) {
                onSecondBind(future);
                return;
            }
            socket.bind(address, config.getBacklog());
            key = boss.onRegister(socket, SelectionKey.OP_ACCEPT, this);
            rehearseBackoff();
            if (config.limits().isUsed()) {
                gate = new AcceptGate(config.limits());
                gate.reserveDescriptor();
            }
            localAddress = (InetSocketAddress) socket.getLocalAddress();
            phase = Phase.BOUND;
        } catch (IOException | RuntimeException e) {
            onBindFailed(future, e);
            return;
        }
        future.setSuccess();
        fireChannelBound(this, localAddress);
    }

    private void onSecondBind(ChannelFuture future) {
        SecondBindException refusal = new SecondBindException(localAddress);
        future.setFailure(refusal);
        fireExceptionCaught(this, refusal);
    }

    /** A server that cannot be bound is closed, which {@link #isOpen} says before the future's listeners are called. */
    private void onBindFailed(ChannelFuture future, Exception cause) {
        setClosing(CloseReason.of(CloseReason.Kind.BIND_FAILED, null, cause));
        future.setFailure(cause);
        if (!(cause instanceof ClosedChannelException)) { // channelClosed was the last event
            fireExceptionCaught(this, cause);
        }
        onCloseRequested(getCloseFuture());
    }

    /** Closes at the end of the turn in which the boss takes the request. Any thread. */
    void close(ChannelFuture future) {
        setClosing();
        requests.carryOut(StateRequest.close(future, () -> onCloseRequested(future)));
    }

    private void onCloseRequested(ChannelFuture future) {
        if (phase == Phase.CLOSED) {
            future.setSuccess();
            return;
        }
        phase = Phase.CLOSING;
        boss.onCloseAsked(this, future);
    }

    /** Whether a close was carried out or will be at the end of the turn. Boss only. */
    private boolean isClosing() {
        return phase == Phase.CLOSING || phase == Phase.CLOSED;
    }

    @Override
    public void onClose(ChannelFuture future) {
        if (future != getCloseFuture()) {
            getCloseFuture().addListener(closed -> future.setSuccess());
        }
        if (phase != Phase.CLOSED) {
            closeSocket();
        }
        closeSequence.resume(); // or what an Error left of it
    }

    private void closeSocket() {
        closeSequence = new CloseSequence(this, this::setClosed, false, localAddress != null);
        try {
            socket.close();
            if (key != null) {
                boss.onReleaseClosed();
            }
        } catch (IOException e) {
            fireExceptionCaught(this, e);
        }
        if (gate != null) {
            gate.releaseDescriptor();
        }
        resetHeld();
        onAcceptResumed();
        phase = Phase.CLOSED;
        boss.onForgotten(this);
    }

    @Override
    public void onLoopStopping() {
        setClosing(boss.closingReason());
        onClose(getCloseFuture());
    }

    @Override
    public void onKeyChanged(SelectionKey changed) {
        key = changed;
    }

    /** A server stays open: what failed concerns one connection. */
    @Override
    public void onFailed(Throwable cause) {
        try {
            fireExceptionCaught(this, cause);
        } catch (Throwable unreported) {
            boss.logLater(cause);
        }
    }

    // ---- accepting --------------------------------------------------------------------------------------------------

    void onAcceptable() {
        if (gate == null && config.limits().isUsed() && !beginsGuarded()) {
            return;
        }
        for (int i = 0; i < MAX_ACCEPTS_A_TURN && isBound(); i++) {
            if (gate != null && !reserves()) {
                return;
            }
            SocketChannel accepted = acceptNext();
            if (accepted == null) {
                if (gate != null) {
                    gate.admission().cancelReservation();
                }
                return;
            }
            backoff.onAccepted();
            if (gate != null) {
                onGuarded(accepted);
            } else if (!config.limits().isUsed()) {
                onAccepted(accepted);
            } else {
                hold(accepted); // its peer may have connected after the limit was set
                return;
            }
        }
    }

    /** Null if there is none, or none can be had now. */
    private SocketChannel acceptNext() {
        if (held != null) {
            SocketChannel next = held;
            held = null;
            return next;
        }
        try {
            return socket.accept();
        } catch (ClosedChannelException e) {
            return null;
        } catch (IOException | OutOfMemoryError e) {
            onAcceptFailed(e);
            return null;
        }
    }

    // ---- the guard --------------------------------------------------------------------------------------------------

    /** A limit was set on the running server. Returns false if accepting waits, no longer than some seconds, until it has counted. */
    private boolean beginsGuarded() {
        gate = new AcceptGate(config.limits());
        CompletableFuture<Void> counted = config.limits().countPresent(acceptedChannels());
        if (counted.isDone()) {
            return true;
        }
        key.interestOps(0);
        counted.completeOnTimeout(null, MAX_COUNT_SECONDS, TimeUnit.SECONDS)
                .whenComplete((done, failure) -> boss.submit(this::onBackoffOver));
        return false;
    }

    /** Until the open connections are counted; then the connection is asked for as any other. */
    private void hold(SocketChannel accepted) {
        held = accepted;
        if (beginsGuarded()) {
            boss.submit(this::onBackoffOver);
        }
    }

    private void resetHeld() {
        if (held != null) {
            AcceptGate.reset(held);
            held = null;
        }
    }

    /** Returns false if no connection may be accepted now; they wait in the backlog then. */
    private boolean reserves() {
        long waitNanos = gate.admission().reserve();
        if (waitNanos == 0) {
            return true;
        }
        key.interestOps(0);
        onAcceptPaused(gate.admission().whyWait(waitNanos));
        if (waitNanos != Admission.UNTIL_ROOM) {
            resumeIn(TimeUnit.NANOSECONDS.toMillis(waitNanos) + 1);
        } else if (!awaitsRoom) {
            awaitsRoom = true;
            gate.admission().whenRoom(() -> boss.submit(this::onRoom));
        }
        return false;
    }

    private void onRoom() {
        awaitsRoom = false;
        onBackoffOver();
    }

    private void onGuarded(SocketChannel accepted) {
        gate.reserveDescriptor();
        InetAddress peer = AcceptGate.peerOf(accepted);
        if (!gate.admits(accepted, peer)) {
            return;
        }
        NioSocketChannel child = null;
        try {
            child = setUp(accepted);
        } finally {
            if (child == null) {
                gate.admission().leave(peer);
            }
        }
        if (child != null) {
            gate.follow(child, peer);
            handOver(child);
        }
    }

    // ---- shortage ---------------------------------------------------------------------------------------------------

    /** The boss's other servers go on while this one waits. */
    private void onAcceptFailed(Throwable cause) {
        // The deadline first: if there is no memory for it, the server must not stop listening.
        resumeIn(backoff.onFailed(boss.deadlines().nowNanos()));
        key.interestOps(0);
        if (gate != null && cause instanceof IOException) {
            gate.resetWaiting(socket);
        }
        if (backoff.isUnreported()) {
            reportShortage(cause);
        }
        onAcceptPaused(cause);
    }

    private void onAcceptPaused(Object cause) {
        if (pause == null) {
            pause = Flight.acceptPaused(cause);
        }
    }

    private void onAcceptResumed() {
        Object over = pause;
        if (over != null) {
            pause = null;
            Flight.acceptResumed(over, this);
        }
    }

    private Deadlines.Deadline resumeIn(long millis) {
        return boss.deadlines().addIn(millis, this::onBackoffOver);
    }

    private void reportShortage(Throwable cause) {
        try {
            logger.warn("cannot accept on " + this + ", trying again at growing intervals of up to 1 s", cause);
            backoff.onReported();
        } catch (Throwable unloggable) { // logging may lack what accepting lacks; the next failure tries again
            boss.logLater(cause);
        }
    }

    /** Loads the classes that a back-off needs: a process without descriptors may be unable to read them. */
    private void rehearseBackoff() {
        resumeIn(0).cancel();
        logger.isWarnEnabled();
    }

    private void onBackoffOver() {
        onAcceptResumed();
        if (key.isValid()) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
        if (held != null) { // for which the selector does not report the server
            onAcceptable();
        }
    }

    // ---- accepted connections ---------------------------------------------------------------------------------------

    private void onAccepted(SocketChannel accepted) {
        NioSocketChannel child = setUp(accepted);
        if (child != null) {
            handOver(child);
        }
    }

    /** Returns null if that fails; the connection is closed then. */
    private NioSocketChannel setUp(SocketChannel accepted) {
        try {
            accepted.configureBlocking(false);
            return newChild(accepted);
        } catch (Throwable t) {
            closeQuietly(accepted);
            fireExceptionCaught(this, t);
            return null;
        }
    }

    private void handOver(NioSocketChannel child) {
        boolean isHandedOver = false;
        try {
            getPipeline().sendUpstream(new DefaultChildChannelStateEvent(this, child));
            rememberLoop(child.loop());
            isHandedOver = child.loop().submit(() -> start(child));
        } finally {
            if (!isHandedOver) {
                child.closeStranded();
            }
        }
    }

    private void rememberLoop(NioLoop loop) {
        if (!childLoops.contains(loop)) {
            childLoops.add(loop);
        }
    }

    /** Asks each worker, behind the connections that it was given before. */
    @Override
    public CompletableFuture<List<Channel>> acceptedChannels() {
        List<Channel> children = new CopyOnWriteArrayList<>();
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        for (NioLoop loop : childLoops) {
            CompletableFuture<Void> answer = new CompletableFuture<>();
            answers.add(answer);
            if (!loop.submit(() -> {
                children.addAll(loop.childrenOf(this));
                answer.complete(null);
            })) {
                answer.complete(null);
            }
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> children);
    }

    /** On the child's loop. */
    private static void start(NioSocketChannel child) {
        child.loop().counters().beginTaskOf(child);
        try {
            child.onAccepted();
        } catch (Throwable t) {
            child.loop().onChannelFailed(child, t);
        }
    }

    private NioSocketChannel newChild(SocketChannel accepted) throws Exception {
        ChannelPipelineFactory pipelineFactory = config.getPipelineFactory();
        if (pipelineFactory == null) {
            throw new ChannelException("no pipelineFactory is set for the connections of " + this);
        }
        return new NioSocketChannel(this, pipelineFactory.getPipeline(), childSink, accepted, workers.nextWorker());
    }

    private static void closeQuietly(SocketChannel accepted) {
        try {
            accepted.close();
        } catch (IOException e) {
            logger.debug("failed to close a connection that could not be set up", e);
        }
    }
}
