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
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.transport.SerialChannel;
import org.freshet.internal.transport.SerialExecutor;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * What stream and datagram channels share: the I/O thread, what handlers have been told, and the interest in reading.
 *
 * <p>Threading: any thread may call, unless a method says otherwise. Events run in the channel's {@link SerialExecutor}; fields marked
 * "Turn only." belong to who has it.
 */
abstract class OioChannel extends AbstractChannel implements SerialChannel, IoThreadBound, LiveChannels.Member {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(OioChannel.class);

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

    /** Bytes that were sent and that handlers have not heard of. */
    @SuppressWarnings("unused") // through SENT_BYTES
    private volatile long sentBytes;

    /** Known from bind or connect on, and kept after the close. */
    private volatile InetSocketAddress localAddress;

    /** Turn only. Whether handlers have seen channelBound. */
    private boolean boundAnnounced;

    /** Turn only. Whether handlers have seen channelConnected, and no channelDisconnected since. */
    private boolean connectedAnnounced;

    /** Turn only. Whether handlers have seen channelClosed, after which they see nothing. */
    private boolean endAnnounced;

    /** Turn only. What handlers know of {@link #isReadable()}. */
    private boolean readableAnnounced = true;

    OioChannel(Channel parent, ChannelFactory factory, ChannelPipeline pipeline, ChannelSink sink, LiveChannels live) {
        super(parent, factory, pipeline, sink);
        this.live = live;
    }

    // ---- what there is to do, on the caller's thread
    // -----------------------------------------------------------------

    abstract void bind(ChannelFuture future, SocketAddress address);

    abstract void connect(ChannelFuture future, SocketAddress remote);

    abstract void disconnect(ChannelFuture future);

    abstract void write(MessageEvent event);

    void close(ChannelFuture future) {
        if (future != getCloseFuture()) {
            getCloseFuture().addListener(closed -> future.setSuccess());
        }
        closeNow();
    }

    /** Reads until nothing more can come or the channel is closed. I/O thread only. */
    abstract void readToEnd() throws IOException;

    /** Whether the channel is in the state in which messages come. */
    abstract boolean mayReceive();

    /** Whether a close has begun. */
    abstract boolean isClosing();

    // ---- state ------------------------------------------------------------------------------------------------------

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

    // ---- the I/O thread ---------------------------------------------------------------------------------------------

    /**
     * Starts the I/O thread.
     *
     * @param role what its name says
     * @param opening comes before the reading; may close the channel
     * @throws RejectedExecutionException if there is no thread for it
     */
    final void startIoThread(IoThreads threads, String role, Runnable opening) {
        Thread starter = Thread.currentThread();
        threads.start(role, () -> live(starter, opening));
    }

    /** The I/O thread from the first event to the last. Thousands wait in here, so few frames lead to where they wait. */
    private void live(Thread starter, Runnable opening) {
        IoThreads.refuseOn(starter);
        ioThread = Thread.currentThread();
        try {
            opening.run();
            readToEnd();
        } catch (IOException | RuntimeException e) {
            onFailed(e);
        } catch (Error e) {
            logger.error("the I/O thread of " + this + " failed, which is closed", e);
            onFailed(e);
        }
        closeNow();
        awaitClosed(this);
        inTurn(this::announceEnd);
        ioThread = null;
    }

    /**
     * Waits until whoever closes the channel has made it known, so that no handler hears of the close before that. Nobody
     * signals, since the close future's listeners come first and may take their time.
     */
    static void awaitClosed(Channel channel) {
        while (channel.isOpen()) {
            LockSupport.parkNanos(channel, CLOSE_POLL_NANOS);
        }
    }

    private void onFailed(Throwable cause) {
        if (!isClosing()) {
            inTurn(() -> fireExceptionCaught(this, cause));
        }
    }

    /** Runs events as soon as no other thread does. I/O thread only. */
    final void inTurn(Runnable events) {
        serialExecutor.acquire();
        try {
            events.run();
        } finally {
            serialExecutor.release();
        }
    }

    /** Waits as long as reading is not wanted; returns false if the channel is closed instead. I/O thread only. */
    final boolean awaitReadable() {
        Thread.interrupted(); // left by a handler, it would close a virtual thread's socket and keep a selector from
        // waiting
        while (mayReceive()) {
            if (isReadable()) {
                return true;
            }
            LockSupport.park(this);
            Thread.interrupted(); // nobody has reason to interrupt this thread, and park would not wait any more
        }
        return false;
    }

    /** Passes a message on as soon as reading is wanted; drops it if the channel is closed instead. I/O thread only. */
    final void deliver(ChannelBuffer message, SocketAddress sender) {
        boolean delivered = false;
        while (!delivered && awaitReadable()) {
            serialExecutor.acquire();
            try {
                announceInterest(); // what let the message come is told before it
                if (isReadable() && mayReceive()) { // the last holder of the turn may have changed that
                    delivered = true;
                    fireMessageReceived(this, message, sender);
                }
            } finally {
                serialExecutor.release();
            }
        }
    }

    final void wakeIoThread() {
        LockSupport.unpark(ioThread);
    }

    // ---- what handlers are told -------------------------------------------------------------------------------------

    /** Turn only. */
    final void announceBound() {
        if (!endAnnounced && !boundAnnounced) {
            boundAnnounced = true;
            fireChannelBound(this, localAddress);
        }
    }

    /** Turn only. */
    final void announceConnected(SocketAddress remote) {
        announceBound();
        if (!endAnnounced) {
            connectedAnnounced = true;
            fireChannelConnected(this, remote);
        }
    }

    /** Turn only. */
    final void announceDisconnected() {
        if (connectedAnnounced) {
            connectedAnnounced = false;
            fireChannelDisconnected(this);
        }
    }

    /** By the I/O thread as its last deed, or by whoever closes a channel that has none. Turn only. */
    final void announceEnd() {
        try {
            announceInterest();
            announceDisconnected();
            if (boundAnnounced) {
                fireChannelUnbound(this);
            }
            fireChannelClosed(this);
        } finally {
            endAnnounced = true;
            live.remove(this);
        }
    }

    final void reportLater(Throwable cause) {
        serialExecutor.execute(() -> fireExceptionCaught(this, cause));
    }

    final void reportSent(long bytes) {
        if (bytes > 0) {
            SENT_BYTES.getAndAdd(this, bytes);
            serialExecutor.execute(this::announceSent);
        }
    }

    private void announceSent() {
        long sent = (long) SENT_BYTES.getAndSet(this, 0L);
        if (!endAnnounced) {
            fireWriteComplete(this, sent);
        }
    }

    // ---- interest ---------------------------------------------------------------------------------------------------

    final void changeInterest(ChannelFuture future, int interestOps) {
        setInternalInterestOps(interestOps & OP_READ);
        wakeIoThread();
        future.setSuccess();
        serialExecutor.execute(this::announceInterest);
    }

    /** Turn only. */
    private void announceInterest() {
        boolean readable = isReadable();
        if (readable != readableAnnounced && !endAnnounced) {
            readableAnnounced = readable;
            fireChannelInterestChanged(this);
        }
    }

    // ---- failures ---------------------------------------------------------------------------------------------------

    /** Handlers hear of it too, unless the channel was closed, which is no news and may be their last event. */
    final void fail(ChannelFuture future, Exception cause) {
        Exception explained = explain(cause);
        future.setFailure(explained);
        if (!(explained instanceof ClosedChannelException)) {
            reportLater(explained);
        }
    }

    /** What fails because the channel was closed says so. */
    final Exception explain(Exception cause) {
        return isClosing() && cause instanceof IOException io ? closedBy(io) : cause;
    }

    static ClosedChannelException closedBy(IOException cause) {
        if (cause instanceof ClosedChannelException closed) {
            return closed;
        }
        ClosedChannelException closed = new ClosedChannelException();
        closed.initCause(cause);
        return closed;
    }
}
