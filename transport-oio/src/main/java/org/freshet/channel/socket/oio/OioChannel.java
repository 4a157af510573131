package org.freshet.channel.socket.oio;

import static org.freshet.channel.Channels.fireMessageReceived;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.CloseReason;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.DefaultWriteCompletionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.metering.TrafficMeter;
import org.freshet.internal.request.SerialExecutor;
import org.freshet.internal.telemetry.ConnectionCounters;
import org.freshet.internal.transport.LastSteps;
import org.freshet.internal.transport.LifecycleEvents;
import org.freshet.logging.InternalLoggerFactory;

/**
 * The common part of stream and datagram channels: the I/O thread, the state last reported to handlers, and the
 * interest in reading.
 *
 * <p>Threading: any thread may call it, unless a method says otherwise. Events run in the channel's
 * {@link SerialExecutor}; fields and methods marked "Events only." belong to the thread that holds it.
 */
abstract class OioChannel extends AbstractChannel implements IoThreadBound, LiveChannels.Member {
    private static final FailsafeLogMessage THREAD_FAILED = FailsafeLogMessage.error(
            InternalLoggerFactory.getInstance(OioChannel.class), "an I/O thread failed; its channel closes");

    private static final long CLOSE_POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final VarHandle SENT_BYTES;

    static {
        try {
            SENT_BYTES = MethodHandles.lookup().findVarHandle(OioChannel.class, "sentBytes", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LiveChannels live;
    private final SerialExecutor serialExecutor = new SerialExecutor();

    /** Null before it starts and after it has ended. */
    private volatile Thread ioThread;

    /** Bytes sent and not yet reported to handlers. */
    private volatile long sentBytes;

    /** Null until bound or connected; kept after the close. */
    private volatile InetSocketAddress localAddress;

    /** Events only. */
    private final LifecycleEvents events;

    /** For a channel without an I/O thread. */
    private final LastSteps lastSteps = new LastSteps(serialExecutor::execute, this::announceEnd, this::forget);

    OioChannel(Channel parent, ChannelFactory factory, ChannelPipeline pipeline, ChannelSink sink, LiveChannels live) {
        super(parent, factory, pipeline, sink);
        this.live = live;
        events = LifecycleEvents.of(this, parent != null);
    }

    // ---- requests, on the caller's thread ---------------------------------------------------------------------------

    abstract void bind(ChannelFuture future, SocketAddress address);

    abstract void connect(ChannelFuture future, SocketAddress remote);

    abstract void disconnect(ChannelFuture future);

    abstract void write(MessageEvent event);

    void close(ChannelFuture future) {
        if (future != getCloseFuture()) {
            getCloseFuture().addListener(closed -> future.setSuccess());
        }
        closeNow(CloseReason.LOCAL);
    }

    /** Closes on the calling thread. Has no effect if a close has begun. */
    abstract void closeNow(CloseReason reason);

    /**
     * For a factory that was shut down: every request fails. No event is fired, because a handler might create another
     * channel.
     */
    @Override
    public final void refuseOpen() {
        events.suppress();
        onShutdown();
    }

    @Override
    public final void onShutdown() {
        closeNow(CloseReason.SHUTDOWN);
    }

    /** Reads until nothing more can arrive or the channel is closed. I/O thread only. */
    abstract void readToEnd() throws IOException;

    /** Returns whether the channel can receive: bound (datagrams) or connected, and not closing. */
    abstract boolean mayReceive();

    /** Returns whether a close has begun. */
    abstract boolean isClosing();

    // ---- state ------------------------------------------------------------------------------------------------------

    /** False as soon as a close has begun, even while queued writes are still being failed. */
    @Override
    public final boolean isOpen() {
        return !isClosing() && super.isOpen();
    }

    @Override
    public final InetSocketAddress getLocalAddress() {
        return localAddress;
    }

    final void rememberLocalAddress(SocketAddress address) {
        localAddress = (InetSocketAddress) address;
    }

    @Override
    public final SerialExecutor serialExecutor() {
        return serialExecutor;
    }

    @Override
    public boolean inIoThread() {
        return serialExecutor.isHeldByCurrentThread() || ioThread == Thread.currentThread();
    }

    @Override
    public final void runLater(Runnable task) {
        serialExecutor.execute(task);
    }

    @Override
    public final boolean runsEvents() {
        return serialExecutor.isHeldByCurrentThread();
    }

    // ---- the I/O thread ---------------------------------------------------------------------------------------------

    /**
     * Starts the I/O thread.
     *
     * @param role becomes part of the thread's name
     * @param opening runs before reading begins; may close the channel
     * @throws RejectedExecutionException if the executor refuses
     */
    final void startIoThread(ThreadStarter threads, String role, Runnable opening) {
        Thread starter = Thread.currentThread();
        Runnable closeAtEnd = () -> closeNow(CloseReason.PEER_CLOSED); // made here: the thread may begin without memory
        Runnable announceAtEnd = () -> runEvent(this::announceEnd);
        Memory.rehearse();
        threads.start(role, () -> live(starter, opening, closeAtEnd, announceAtEnd));
    }

    /**
     * Runs the I/O thread from the first event to the last. Thousands of threads block in here, so the stack is kept
     * shallow.
     */
    private void live(Thread starter, Runnable opening, Runnable closeAtEnd, Runnable announceAtEnd) {
        ThreadStarter.refuseOn(starter);
        ioThread = Thread.currentThread();
        try {
            opening.run();
            readToEnd();
        } catch (Throwable t) {
            tryReport(t);
        }
        Memory.untilThereIs(closeAtEnd); // nothing else closes the channel
        awaitClosed(this);
        try {
            Memory.untilThereIs(announceAtEnd);
        } finally {
            live.remove(this);
            ioThread = null;
        }
    }

    /**
     * Waits until the closing thread has completed the close future, so handlers are notified of the close afterwards.
     * It polls: the close future's listeners run first and may take long, so the closing thread cannot signal in time.
     */
    static void awaitClosed(Channel channel) {
        while (!channel.getCloseFuture().isDone()) {
            LockSupport.parkNanos(channel, CLOSE_POLL_NANOS);
        }
    }

    /** Throws nothing. */
    private void tryReport(Throwable cause) {
        HeapReserve.onFailure(cause);
        if (cause instanceof Error) {
            THREAD_FAILED.log(this, cause);
        }
        try {
            onFailed(cause);
        } catch (Throwable t) { // without memory
            THREAD_FAILED.log(this, t);
        }
    }

    private void onFailed(Throwable cause) {
        if (!isClosing()) {
            Kind kind = cause instanceof IOException ? Kind.READ_FAILED : Kind.HANDLER_FAILED;
            noteCloseReason(CloseReason.ofFailure(kind, cause));
            runEvent(() -> events.failed(cause));
        }
    }

    /** Runs an event, after any that other threads are running. I/O thread only. */
    final void runEvent(Runnable event) {
        serialExecutor.acquire();
        try {
            event.run();
        } finally {
            serialExecutor.release();
        }
    }

    /** Waits until reading is wanted. Returns false if the channel is closed instead. I/O thread only. */
    final boolean awaitReadable() {
        // An interrupt left by a handler would close a virtual thread's socket, and end a selector's wait immediately.
        Thread.interrupted();
        while (mayReceive()) {
            if (isReadable()) {
                return true;
            }
            LockSupport.park(this);
            Thread.interrupted(); // clear it: a pending interrupt would keep park from waiting
        }
        return false;
    }

    /** Passes a message on as soon as reading is wanted. Drops it if the channel is closed instead. I/O thread only. */
    final void deliver(ChannelBuffer message, SocketAddress sender) {
        boolean delivered = false;
        while (!delivered && awaitReadable()) {
            serialExecutor.acquire();
            try {
                events.readability(); // handlers are notified of resumed reading before they get a message
                if (isReadable() && mayReceive()) { // handlers of that event may have changed it
                    delivered = true;
                    live.counters().onRead(message.readableBytes());
                    TrafficMeter.read(this, message.readableBytes());
                    fireMessageReceived(this, message, sender);
                }
            } finally {
                serialExecutor.release();
            }
        }
    }

    public final ConnectionCounters connectionCounters() {
        return live.counters();
    }

    final void wakeIoThread() {
        LockSupport.unpark(ioThread);
    }

    // ---- events -----------------------------------------------------------------------------------------------------

    /** Events only. */
    final void announceBound() {
        events.bound(localAddress);
    }

    /** Events only. */
    final void announceConnected(SocketAddress remote) {
        events.connected(localAddress, remote);
    }

    /** Events only. */
    final void announceDisconnected() {
        events.disconnected();
    }

    /** Events only. */
    final void announceFailure(Throwable cause) {
        events.failed(cause);
    }

    /** For an accepted channel. Events only. */
    final void announceAccepted(SocketAddress remote) {
        events.openAccepted();
        announceConnected(remote);
    }

    /** The last events. May be called again after an OutOfMemoryError. Events only. */
    private void announceEnd() {
        announceSent();
        events.readability();
        events.closed();
    }

    /** Fires the last events of a channel without an I/O thread. */
    final void announceEndWithoutThread() {
        lastSteps.run();
    }

    private void forget() {
        live.remove(this);
    }

    final void reportLater(Throwable cause) {
        serialExecutor.execute(() -> events.failed(cause));
    }

    final void reportSent(long bytes) {
        if (bytes > 0) {
            live.counters().onWritten(bytes);
            TrafficMeter.written(this, bytes);
            SENT_BYTES.getAndAdd(this, bytes);
            serialExecutor.execute(this::announceSent);
        }
    }

    private void announceSent() {
        long sent = sentBytes;
        if (sent > 0) {
            WriteCompletionEvent event = new DefaultWriteCompletionEvent(this, sent);
            SENT_BYTES.getAndAdd(this, -sent);
            events.written(event);
        }
    }

    // ---- interest ---------------------------------------------------------------------------------------------------

    final void changeInterest(ChannelFuture future, int interestOps) {
        setInternalInterestOps(interestOps & OP_READ);
        wakeIoThread();
        future.setSuccess();
        serialExecutor.execute(events::readability);
    }

    // ---- failures ---------------------------------------------------------------------------------------------------

    /** Fails a future. Also fires exceptionCaught, unless the cause is the close: no event may follow that. */
    final void fail(ChannelFuture future, Throwable cause) {
        Throwable explained = cause instanceof Exception exception ? explain(exception) : cause;
        future.setFailure(explained);
        if (!(explained instanceof ClosedChannelException)) {
            reportLater(explained);
        }
    }

    /** Turns an I/O failure after the start of a close into a {@link ClosedChannelException}. */
    final Exception explain(Exception cause) {
        return isClosing() && cause instanceof IOException io ? closedBy(io) : cause;
    }

    /** The failure of an operation interrupted by the close. */
    final ClosedChannelException closedBy(IOException cause) {
        if (cause instanceof ChannelClosedException closed) {
            return closed;
        }
        ClosedChannelException closed = ChannelClosedException.of(this);
        if (closed.getCause() == null) {
            closed.initCause(cause);
        }
        return closed;
    }
}
