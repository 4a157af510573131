package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.freshet.channel.AbstractServerChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultChildChannelStateEvent;
import org.freshet.channel.socket.ServerSocketChannel;
import org.freshet.channel.socket.ServerSocketChannelConfig;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.accept.AcceptPermit;
import org.freshet.internal.request.SerialExecutor;
import org.freshet.internal.transport.AcceptedChannels;
import org.freshet.internal.transport.LastSteps;
import org.freshet.internal.transport.LifecycleEvents;
import org.freshet.internal.transport.SecondBindException;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A listening TCP socket with its own thread that accepts; each connection gets another.
 *
 * <p>Threading: any thread may call public methods. The I/O thread starts when the channel is bound. Closing happens on
 * the caller's thread, and the I/O thread reports it. Events run in the channel's {@link SerialExecutor}, because
 * children close at any time.
 */
final class OioServerSocketChannel extends AbstractServerChannel
        implements ServerSocketChannel,
                IoThreadBound,
                AcceptedChannels,
                AcceptLimits.Owner,
                BlockingAcceptLoop.Server,
                LiveChannels.Member {
    /**
     * OPEN until a bind begins, which may fail; BOUND, with an I/O thread, after that; CLOSED permanently. Any thread
     * may change the phase, atomically.
     */
    enum Phase {
        OPEN,
        BINDING,
        BOUND,
        CLOSED
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(OioServerSocketChannel.class);

    private static final VarHandle PHASE;

    static {
        try {
            PHASE = MethodHandles.lookup().findVarHandle(OioServerSocketChannel.class, "phase", Phase.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ServerSocket socket;
    private final OioServerSocketConfig config;
    private final LiveChannels live;
    private final ThreadStarter childThreads;
    private final SerialExecutor serialExecutor = new SerialExecutor();

    /** I/O thread only. */
    private final BlockingAcceptLoop accepts;

    /** Used by the thread that holds {@link #serialExecutor}. */
    private final LifecycleEvents events = LifecycleEvents.of(this, false);

    /** For a channel without an I/O thread. */
    private final LastSteps lastSteps = new LastSteps(this::finishClose, events::closed, this::forget);

    private volatile Phase phase = Phase.OPEN;

    /** Null before it starts and after it has ended. */
    private volatile Thread ioThread;

    /** Null until bound; kept after the close. */
    private volatile InetSocketAddress localAddress;

    OioServerSocketChannel(
            ChannelFactory factory,
            ChannelPipeline pipeline,
            OioServerSink sink,
            ServerSocket socket,
            LiveChannels live,
            ThreadStarter childThreads) {
        super(factory, pipeline, sink);
        this.socket = socket;
        this.live = live;
        this.childThreads = childThreads;
        config = new OioServerSocketConfig(socket);
        accepts = new BlockingAcceptLoop(this, socket, config.limits());
    }

    @Override
    public ServerSocketChannelConfig getConfig() {
        return config;
    }

    /** False as soon as a close was requested, even if the I/O thread has not noticed yet. */
    @Override
    public boolean isOpen() {
        return phase != Phase.CLOSED && super.isOpen();
    }

    @Override
    public boolean isBound() {
        return phase == Phase.BOUND;
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
    public SerialExecutor serialExecutor() {
        return serialExecutor;
    }

    @Override
    public boolean inIoThread() {
        return serialExecutor.isHeldByCurrentThread() || ioThread == Thread.currentThread();
    }

    @Override
    public void runLater(Runnable task) {
        serialExecutor.execute(task);
    }

    @Override
    public AcceptLimits limits() {
        return config.limits();
    }

    // ---- life cycle -------------------------------------------------------------------------------------------------

    /** Binds on the caller's thread, then starts the I/O thread. A server that cannot be bound is closed. */
    void bind(ChannelFuture future, SocketAddress address, ThreadStarter threads) {
        if (!PHASE.compareAndSet(this, Phase.OPEN, Phase.BINDING)) {
            fail(
                    future,
                    phase == Phase.CLOSED ? ChannelClosedException.of(this) : new SecondBindException(localAddress));
            return;
        }
        try {
            socket.bind(address, config.getBacklog());
            localAddress = (InetSocketAddress) socket.getLocalSocketAddress();
        } catch (IOException | RuntimeException e) {
            onBindFailed(future, e);
            return;
        }
        if (PHASE.compareAndSet(this, Phase.BINDING, Phase.BOUND)) {
            start(future, threads);
        } else {
            future.setFailure(ChannelClosedException.of(this));
        }
    }

    private void start(ChannelFuture future, ThreadStarter threads) {
        try {
            Thread starter = Thread.currentThread();
            Runnable end = this::endOnce; // made here: the thread may end without memory
            Memory.rehearse();
            threads.start("server", () -> live(starter, future, end));
        } catch (Throwable e) { // refused, or no thread could be created
            try {
                onBindFailed(future, e);
            } finally {
                lastSteps.run();
            }
        }
    }

    private void onBindFailed(ChannelFuture future, Throwable cause) {
        CloseReason reason = CloseReason.of(CloseReason.Kind.BIND_FAILED, null, cause);
        noteCloseReason(reason);
        fail(future, cause);
        closeNow(reason);
    }

    private void fail(ChannelFuture future, Throwable cause) {
        future.setFailure(cause);
        if (!(cause instanceof ClosedChannelException)) { // channelClosed was the handlers' last event
            serialExecutor.execute(() -> events.failed(cause));
        }
    }

    /** Runs the I/O thread from the first event to the last. */
    private void live(Thread starter, ChannelFuture bound, Runnable end) {
        ThreadStarter.refuseOn(starter);
        ioThread = Thread.currentThread();
        try {
            report(() -> {
                bound.setSuccess();
                events.bound(localAddress);
            });
            accepts.run();
        } finally {
            end(end);
        }
    }

    /** Ends the I/O thread, even if a step throws: the shutdown of the factory waits for it. */
    private void end(Runnable steps) {
        try {
            Memory.untilThereIs(steps);
        } finally {
            live.remove(this);
            ioThread = null;
        }
    }

    /** May be called again after an OutOfMemoryError. */
    private void endOnce() {
        closeNow(CloseReason.of(
                CloseReason.Kind.HANDLER_FAILED)); // has no effect if it is closed already, as it should be
        setClosed();
        runEvent(events::closed);
    }

    /** Runs an event on which nothing else depends. Never throws. */
    private void report(Runnable event) {
        try {
            runEvent(event);
        } catch (Throwable t) {
            logger.warn("failed to report an event of " + this, t);
        }
    }

    private void runEvent(Runnable action) {
        serialExecutor.acquire();
        try {
            action.run();
        } finally {
            serialExecutor.release();
        }
    }

    void close(ChannelFuture future) {
        if (future != getCloseFuture()) {
            getCloseFuture().addListener(closed -> future.setSuccess());
        }
        closeNow(CloseReason.LOCAL);
    }

    /**
     * For a factory that was shut down: every request fails. No event is fired, because a handler might create another
     * channel.
     */
    @Override
    public void refuseOpen() {
        events.suppress();
        onShutdown();
    }

    @Override
    public void onShutdown() {
        closeNow(CloseReason.SHUTDOWN);
    }

    private void closeNow(CloseReason reason) {
        setClosing(reason);
        if (phase == Phase.CLOSED) {
            return;
        }
        SocketClose socketClose = new SocketClose(socket, e -> serialExecutor.execute(() -> events.failed(e)));
        Phase before = (Phase) PHASE.getAndSet(this, Phase.CLOSED);
        if (before == Phase.CLOSED) {
            return;
        }
        socketClose.run(); // if the I/O thread is blocked in accept, that now throws
        if (before == Phase.OPEN || before == Phase.BINDING) {
            lastSteps.run();
        } else {
            // The system listens until the I/O thread has returned from accept, so that thread completes the close
            // future.
            LockSupport.unpark(ioThread);
        }
    }

    /** May be called again after an OutOfMemoryError. */
    private void finishClose(Runnable lastEvents) {
        setClosed();
        serialExecutor.execute(lastEvents);
    }

    private void forget() {
        live.remove(this);
    }

    @Override
    public CompletableFuture<List<Channel>> acceptedChannels() {
        return CompletableFuture.completedFuture(live.childrenOf(this));
    }

    // ---- accepting, on the I/O thread -------------------------------------------------------------------------------

    @Override
    public void onAccepted(Socket accepted, AcceptPermit permit) {
        OioSocketChannel child = null;
        try {
            child = adopt(accepted, permit);
        } catch (Throwable t) {
            report(() -> events.failed(t));
        } finally {
            if (child == null) {
                permit.release();
                closeQuietly(accepted);
            }
        }
        if (child != null) {
            start(child);
        }
    }

    /**
     * Creates the connection's channel. If it returns null or throws, the caller must close the socket and release the
     * permit.
     */
    private OioSocketChannel adopt(Socket accepted, AcceptPermit permit) throws Exception {
        ChannelPipelineFactory pipelineFactory = config.getPipelineFactory();
        if (pipelineFactory == null) {
            throw new ChannelException("no pipelineFactory is set for the connections of " + this);
        }
        OioSocketChannel child = new OioSocketChannel(
                this, getFactory(), pipelineFactory.getPipeline(), OioSink.INSTANCE, accepted, live, childThreads);
        if (!live.add(child)) {
            return null; // the factory is being shut down, and this server with it
        }
        boolean isHandedOver = false;
        try {
            permit.handOver(child.getCloseFuture());
            isHandedOver = true;
        } finally {
            if (!isHandedOver) {
                live.remove(child);
            }
        }
        return child;
    }

    private void start(OioSocketChannel child) {
        try {
            runEvent(() -> getPipeline().sendUpstream(new DefaultChildChannelStateEvent(this, child)));
            child.startAccepted();
        } catch (Throwable t) { // most likely no thread could be started
            abandon(child, t);
            report(() -> events.failed(t));
        }
    }

    private void abandon(OioSocketChannel child, Throwable cause) {
        try {
            child.abandon(CloseReason.of(CloseReason.Kind.REFUSED, null, cause));
        } catch (Throwable t) {
            live.remove(child); // otherwise the shutdown of the factory would wait for it
            logger.warn("failed to close a connection that could not be started", t);
        }
    }

    private static void closeQuietly(Socket accepted) {
        try {
            accepted.close();
        } catch (IOException e) {
            logger.debug("failed to close a connection that could not be set up", e);
        }
    }
}
