package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireChannelBound;
import static org.freshet.channel.Channels.fireChannelOpen;
import static org.freshet.channel.Channels.fireExceptionCaught;

import java.io.IOException;
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
import org.freshet.channel.socket.nio.accept.AcceptLoop;
import org.freshet.channel.socket.nio.loop.Deadlines;
import org.freshet.channel.socket.nio.loop.LoopChannel;
import org.freshet.channel.socket.nio.loop.LoopTasks;
import org.freshet.channel.socket.nio.loop.ReusableTask;
import org.freshet.channel.socket.nio.request.ServerRequestQueue;
import org.freshet.channel.socket.nio.request.StateRequest;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.accept.AcceptPermit;
import org.freshet.internal.transport.AcceptedChannels;
import org.freshet.internal.transport.NewSockets;
import org.freshet.internal.transport.SecondBindException;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.telemetry.LoopSource;
import org.freshet.telemetry.LoopStats;

/**
 * A listening socket, driven by one {@link NioServerBoss}, which hands accepted connections to workers. Subclasses
 * supply the parts that depend on the kind of socket: address types, connections, and cleanup after a bind.
 *
 * <p>Requests take effect in the order they were made, whichever threads made them: see {@link ServerRequestQueue}.
 *
 * <p>Threading: any thread may call public methods. Methods named {@code onX} run on the boss, which alone touches the
 * socket.
 */
abstract class NioListener extends AbstractServerChannel
        implements LoopChannel.ClosableChannel,
                IoThreadBound,
                AcceptedChannels,
                ServerRequestQueue.Target,
                AcceptLimits.Owner,
                AcceptLoop.Server,
                LoopSource {
    /** OPEN until bound; CLOSING from when a close is carried out until the end of the turn; CLOSED permanently. */
    enum Phase {
        OPEN,
        BOUND,
        CLOSING,
        CLOSED
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(NioServerSocketChannel.class);

    private final ServerSocketChannel socket;
    private final NioServerSocketConfig config;
    private final NioServerBoss boss;
    private final WorkerPool<NioWorker> workers;
    private final ChannelSink childSink;
    private final ServerRequestQueue requests = new ServerRequestQueue(this);

    /** Boss only. */
    private final AcceptLoop accepts;

    private final ReusableTask roomTask;

    /** The workers that have received connections of this server: few, and only the boss adds to them. */
    private final Set<NioLoop> childLoops = new CopyOnWriteArraySet<>();

    /** Written by the boss. */
    private volatile Phase phase = Phase.OPEN;

    /** Null until bound, and kept after the close. Written by the boss. */
    private volatile SocketAddress localAddress;

    /** Boss only. Null until bound. */
    private SelectionKey key;

    /** Boss only. Null until the socket is about to be closed. */
    private CloseSequence closeSequence;

    NioListener(
            ChannelFactory factory,
            ChannelPipeline pipeline,
            ChannelSink sink,
            ServerSocketChannel socket,
            NioServerSocketConfig config,
            NioServerBoss boss,
            WorkerPool<NioWorker> workers,
            ChannelSink childSink) {
        super(factory, pipeline, sink);
        this.socket = socket;
        this.boss = boss;
        this.workers = workers;
        this.childSink = childSink;
        this.config = config;
        accepts = new AcceptLoop(this, socket, config.limits());
        roomTask = new ReusableTask(accepts::onRoom);
    }

    // ---- supplied by each kind of socket, on the boss ---------------------------------------------------------------

    abstract NioStreamChannel newChild(
            ChannelPipeline pipeline, ChannelSink sink, SocketChannel accepted, NioWorker worker) throws IOException;

    void bind(ServerSocketChannel socket, SocketAddress address, int backlog) throws IOException {
        socket.bind(address, backlog);
    }

    /**
     * Called before the socket is closed, while it still listens. Throws no exception. May be called again after an
     * Error.
     */
    void onUnbinding() {}

    // ---- getters ----------------------------------------------------------------------------------------------------

    final NioServerBoss boss() {
        return boss;
    }

    @Override
    public LoopTasks tasks() {
        return boss.tasks();
    }

    @Override
    public void onRequestFailed(Throwable cause) {
        boss.onChannelFailed(this, cause);
    }

    @Override
    public List<LoopStats> loopStats() {
        return List.of(boss.stats());
    }

    @Override
    public final ServerSocketChannelConfig getConfig() {
        return config;
    }

    @Override
    public boolean isBound() {
        return phase == Phase.BOUND && isOpen();
    }

    @Override
    public SocketAddress getLocalAddress() {
        return localAddress;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return null;
    }

    @Override
    public boolean inIoThread() {
        return boss.inLoop();
    }

    @Override
    public void runLater(Runnable task) {
        boss.tasks().submit(task);
    }

    @Override
    public AcceptLimits limits() {
        return config.limits();
    }

    // ---- life cycle -------------------------------------------------------------------------------------------------

    /**
     * Makes the boss fire channelOpen. If the boss has stopped, closes the channel, like {@link NioChannel#refuseOpen}.
     */
    final void open() {
        if (!boss.tasks().execute(this::onOpened)) {
            refuseOpen();
        }
    }

    private void refuseOpen() {
        setClosing(CloseReason.SHUTDOWN);
        NewSockets.closeQuietly(socket);
        phase = Phase.CLOSED;
        setClosed();
    }

    private void onOpened() {
        boss.onOpened(this);
        fireChannelOpen(this);
    }

    /** Any thread may call it. */
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
            bind(socket, address, config.getBacklog());
            key = boss.onRegister(socket, SelectionKey.OP_ACCEPT, this);
            accepts.onBound(key);
            localAddress = socket.getLocalAddress();
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

    /** Closes a server that cannot be bound. {@link #isOpen} returns false before the future's listeners are called. */
    private void onBindFailed(ChannelFuture future, Exception cause) {
        setClosing(CloseReason.of(CloseReason.Kind.BIND_FAILED, null, cause));
        future.setFailure(cause);
        if (!(cause instanceof ClosedChannelException)) { // channelClosed was the last event
            fireExceptionCaught(this, cause);
        }
        onCloseRequested(getCloseFuture());
    }

    /** Closes at the end of the turn in which the boss takes the request. Any thread may call it. */
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

    /** Returns whether a close was carried out or will be at the end of the turn. Boss only. */
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
        closeSequence.resume(); // or the rest of it after an Error
    }

    private void closeSocket() {
        closeSequence = new CloseSequence(this, this::setClosed, false, localAddress != null);
        onUnbinding();
        try {
            socket.close();
            if (key != null) {
                boss.onReleaseClosed();
            }
        } catch (IOException e) {
            fireExceptionCaught(this, e);
        }
        accepts.onClosed();
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
        accepts.onKeyChanged(changed);
    }

    /** A server stays open: the failure concerns one connection. */
    @Override
    public void onFailed(Throwable cause) {
        try {
            fireExceptionCaught(this, cause);
        } catch (Throwable unreported) {
            boss.logLater(cause);
        }
    }

    /** A server that could not be bound closes, because its socket may listen already. */
    @Override
    public boolean closesOnFailure() {
        return !isBound();
    }

    // ---- accepting --------------------------------------------------------------------------------------------------

    void onAcceptable() {
        accepts.onAcceptable();
    }

    @Override
    public Deadlines deadlines() {
        return boss.deadlines();
    }

    @Override
    public void wakeAccepting() {
        roomTask.submitTo(tasks());
    }

    @Override
    public boolean onAccepted(SocketChannel accepted, AcceptPermit permit) {
        NioStreamChannel child = setUp(accepted, permit);
        if (child == null) {
            return false;
        }
        try {
            handOver(child);
        } catch (Throwable t) {
            boss.onChannelFailed(this, t);
        }
        return true;
    }

    /** Returns null if that fails; the connection is closed then. */
    private NioStreamChannel setUp(SocketChannel accepted, AcceptPermit permit) {
        try {
            accepted.configureBlocking(false);
            NioStreamChannel child = newChild(accepted);
            permit.handOver(child.getCloseFuture());
            return child;
        } catch (Throwable t) {
            closeQuietly(accepted);
            boss.onChannelFailed(this, t);
            return null;
        }
    }

    private void handOver(NioStreamChannel child) {
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

    /** Asks each worker; a worker answers after starting the connections it was given before. */
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

    /** Called on the child's loop. */
    private static void start(NioStreamChannel child) {
        child.loop().counters().beginTaskOf(child);
        try {
            child.onAccepted();
        } catch (Throwable t) {
            child.loop().onChannelFailed(child, t);
        }
    }

    private NioStreamChannel newChild(SocketChannel accepted) throws Exception {
        ChannelPipelineFactory pipelineFactory = config.getPipelineFactory();
        if (pipelineFactory == null) {
            throw new ChannelException("no pipelineFactory is set for the connections of " + this);
        }
        return newChild(pipelineFactory.getPipeline(), childSink, accepted, workers.nextWorker());
    }

    private static void closeQuietly(SocketChannel accepted) {
        try {
            accepted.close();
        } catch (IOException e) {
            logger.debug("failed to close a connection that could not be set up", e);
        }
    }
}
