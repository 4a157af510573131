package org.freshet.handler.execution;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.internal.AnyException;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.WaitingThread;
import org.freshet.internal.WakeUps;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.DefaultObjectSizeEstimator;
import org.freshet.util.ObjectSizeEstimator;

/**
 * A connection as seen by a {@link Conversation}: messages are read and written one after another, with blocking
 * methods.
 *
 * <p>Any thread but the channel's I/O thread may call it; usually it is the conversation's own. Methods named
 * {@code onX} are called by the handler, mostly on the I/O thread, and never block.
 */
public final class BlockingConnection {
    /** Reading from the channel is suspended when this many messages are waiting. */
    static final int MAX_MESSAGES = 16;

    /** Reading from the channel is suspended when the waiting messages take about this many bytes. */
    static final int MAX_BYTES = 64 * 1024;

    /** How often a blocked write checks the channel after the handler was removed, when no event wakes it any more. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(ConversationHandler.class);
    private static final FailsafeLogMessage NOT_REPORTED =
            FailsafeLogMessage.warning(logger, "the end of a conversation was not reported");
    private static final ObjectSizeEstimator SIZES = new DefaultObjectSizeEstimator();

    private enum State {
        /** The channel is not connected. */
        WAITING,
        RUNNING,
        /** Incoming messages are dropped. */
        ENDED
    }

    /** A message, or a failure at its place in the order. */
    private record Item(Object message, ExceptionEvent failure, int bytes) {}

    private final ChannelHandlerContext ctx;
    private final Channel channel;
    private final ReadSuspension reading;

    private final ReentrantLock lock = new ReentrantLock();

    // ---- guarded by the lock ----

    private final ArrayDeque<Item> items = new ArrayDeque<>(4); // grows where messages wait
    private long bytes;
    private State state = State.WAITING;
    private boolean isInputEnded;
    private boolean isSuspended;
    private boolean isRemoved;

    /** The list of threads that wait for a change; null if it is empty. */
    private WaitingThread waiting;

    /** Null unless the channel is being drained and the conversation is running. */
    private DrainEvent.Hold hold;

    /** The last message written, or null. */
    private volatile ChannelFuture lastWrite;

    BlockingConnection(ChannelHandlerContext ctx) {
        this.ctx = ctx;
        channel = ctx.getChannel();
        reading = ReadSuspension.at(ctx);
    }

    /** Returns the connection's channel. You may use everything it offers. */
    public Channel channel() {
        return channel;
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    /**
     * Waits for the next message.
     *
     * @return the message, or null when no more will come: the peer has shut down its output, or the channel is closed
     *     or being drained
     * @throws IOException a failure of a handler or the transport, at its place between the messages. Causes of other
     *     types are thrown as they are.
     * @throws IllegalStateException if called on the channel's I/O thread, which would wait for itself
     */
    public Object read() throws IOException, InterruptedException {
        return read(Long.MAX_VALUE);
    }

    /**
     * Waits for the next message for a limited time. Otherwise the same as {@link #read()}.
     *
     * @param timeout 0 or less returns a message only if one is already waiting
     * @throws SocketTimeoutException if no message has arrived in time; you may call this again
     */
    public Object read(Duration timeout) throws IOException, InterruptedException {
        return read(Math.max(0, timeout.toNanos()));
    }

    private Object read(long nanos) throws IOException, InterruptedException {
        refuseOnIoThread("read");
        boolean resumes;
        Item item;
        lock.lock();
        try {
            item = awaitItem(nanos);
            resumes = isSuspended && items.size() <= MAX_MESSAGES / 2 && bytes <= MAX_BYTES / 2;
            isSuspended &= !resumes;
        } finally {
            lock.unlock();
        }
        if (resumes) {
            reading.resume();
        }
        if (item != null && item.failure != null) {
            throw AnyException.rethrow(item.failure.getCause());
        }
        return item == null ? null : item.message;
    }

    /** Returns null at the end of the input. */
    private Item awaitItem(long nanos) throws IOException, InterruptedException {
        long begun = nanos == Long.MAX_VALUE ? 0 : System.nanoTime();
        long left = nanos;
        while (items.isEmpty() && !isInputEnded) {
            if (left <= 0) {
                throw new SocketTimeoutException("no message within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
            }
            awaitChange(left);
            left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - begun);
        }
        Item item = items.poll();
        bytes -= item == null ? 0 : item.bytes;
        return item;
    }

    private void refuseOnIoThread(String method) {
        if (isOnIoThread()) {
            throw new IllegalStateException(
                    method + "() was called on the channel's I/O thread, which would wait for itself: " + channel);
        }
    }

    private boolean isOnIoThread() {
        return channel instanceof IoThreadBound bound && bound.inIoThread();
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    /**
     * Writes a message as soon as the channel is {@linkplain Channel#isWritable() writable}: a peer that does not read
     * makes this block.
     *
     * @return completes when the message has been sent; you need not wait for it
     * @throws ChannelClosedException if the channel is closed
     * @throws IllegalStateException if called on the channel's I/O thread while the channel is not writable
     */
    public ChannelFuture write(Object message) throws IOException, InterruptedException {
        if (!channel.isWritable() && channel.isOpen()) {
            refuseOnIoThread("write");
            awaitWritable();
        }
        if (!channel.isOpen()) {
            throw ChannelClosedException.of(channel);
        }
        ChannelFuture written = Channels.future(channel);
        lastWrite = written;
        Channels.write(ctx, written, message);
        return written;
    }

    private void awaitWritable() throws InterruptedException {
        lock.lock();
        try {
            while (!channel.isWritable() && channel.isOpen()) {
                awaitChange(isRemoved ? LOOK_NANOS : Long.MAX_VALUE);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the connection. Unsent writes are sent only as far as possible without waiting. See
     * {@link Channel#close(CloseReason)}.
     */
    public ChannelFuture close(CloseReason reason) {
        return channel.close(reason);
    }

    // ---- waiting ----------------------------------------------------------------------------------------------------

    /**
     * Parks the caller until a change wakes the threads that {@link #takeWaiting} returns, the time elapses, or
     * spuriously. The caller holds the lock, which is released in the meantime.
     *
     * @param nanos {@link Long#MAX_VALUE} means no limit
     */
    private void awaitChange(long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        WaitingThread caller = new WaitingThread(waiting);
        waiting = caller;
        lock.unlock();
        try {
            if (nanos == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, nanos);
            }
        } finally {
            caller.onAwake();
            lock.lock();
            removeWaiting(caller);
        }
    }

    private void removeWaiting(WaitingThread leaving) {
        if (waiting == leaving) {
            waiting = leaving.next();
            return;
        }
        for (WaitingThread each = waiting; each != null; each = each.next()) {
            if (each.next() == leaving) {
                each.setNext(leaving.next());
                return;
            }
        }
    }

    /** Returns the waiting threads, to be woken once the lock is released. The caller holds the lock. */
    private WaitingThread takeWaiting() {
        WaitingThread taken = waiting;
        waiting = null;
        return taken;
    }

    // ---- called by the handler --------------------------------------------------------------------------------------

    ReadSuspension reading() {
        return reading;
    }

    void onMessage(Object message) {
        add(new Item(message, null, SIZES.estimateSize(message)));
    }

    /** If the conversation does not read a failure, it goes up when the conversation ends. */
    void onFailure(ExceptionEvent failure) {
        if (!add(new Item(null, failure, 0))) {
            ctx.sendUpstream(failure);
        }
    }

    /** Returns false if the conversation has ended. */
    private boolean add(Item item) {
        boolean suspends;
        WaitingThread woken;
        lock.lock();
        try {
            if (state == State.ENDED) {
                return false;
            }
            items.add(item);
            bytes += item.bytes;
            woken = takeWaiting();
            suspends = !isSuspended && (items.size() >= MAX_MESSAGES || bytes >= MAX_BYTES);
            isSuspended |= suspends;
        } finally {
            lock.unlock();
        }
        WakeUps.wake(woken);
        if (suspends) {
            reading.suspend();
        }
        return true;
    }

    void onInputEnds() {
        WaitingThread woken;
        lock.lock();
        try {
            isInputEnded = true;
            woken = takeWaiting();
        } finally {
            lock.unlock();
        }
        WakeUps.wake(woken);
    }

    /** From now on the channel is read as the remaining handlers want. */
    void onRemoved() {
        boolean resumes;
        lock.lock();
        try {
            resumes = isSuspended;
            isSuspended = false;
            isRemoved = true;
        } finally {
            lock.unlock();
        }
        if (resumes) {
            reading.resume();
        }
        onInputEnds();
    }

    void onWritability() {
        WaitingThread woken;
        lock.lock();
        try {
            woken = takeWaiting();
        } finally {
            lock.unlock();
        }
        WakeUps.wake(woken);
    }

    void onDrain(DrainEvent drain) {
        lock.lock();
        try {
            if (state == State.RUNNING) {
                hold = drain.hold(ctx, "a conversation");
            }
        } finally {
            lock.unlock();
        }
        drain.claim();
        onInputEnds();
    }

    // ---- life cycle -------------------------------------------------------------------------------------------------

    /** Returns false if it has begun before. */
    boolean begin() {
        lock.lock();
        try {
            boolean begins = state == State.WAITING;
            if (begins) {
                state = State.RUNNING;
            }
            return begins;
        } finally {
            lock.unlock();
        }
    }

    /** No thread was available. */
    void onRefused() {
        while (pollUnread() != null) {
            // there is no conversation to read it
        }
    }

    /** Runs the conversation, on its own thread. */
    void run(Conversation conversation) {
        Throwable thrown = null;
        try {
            conversation.run(this);
        } catch (Throwable t) {
            HeapReserve.onFailure(t); // makes room for the end of the connection
            thrown = t;
        }
        try {
            reportEnd(thrown);
        } catch (Throwable t) { // out of memory
            NOT_REPORTED.log(channel, t);
        } finally {
            endConnection();
        }
    }

    private void reportEnd(Throwable thrown) {
        for (Item unread = pollUnread(); unread != null; unread = pollUnread()) {
            if (unread.failure != null) {
                report(unread.failure.getCause());
            }
        }
        if (thrown != null) {
            Channels.noteCloseReason(
                    channel, CloseReason.of(CloseReason.Kind.LOCAL, "the conversation failed", thrown));
            report(thrown);
        }
    }

    private void endConnection() {
        try {
            releaseHold(); // before the close: a close during the hold would count as losing the conversation
        } finally {
            closeAfterLastWrite();
        }
    }

    /** Ends the conversation, and returns the next item that it has not read; null if it has read all. */
    private Item pollUnread() {
        lock.lock();
        try {
            state = State.ENDED;
            bytes = 0;
            return items.poll();
        } finally {
            lock.unlock();
        }
    }

    /** No event may follow channelClosed, and an IOException after it is expected. */
    private void report(Throwable cause) {
        if (channel.isOpen()) {
            Channels.fireExceptionCaughtLater(ctx, cause);
        } else if (!(cause instanceof IOException)) {
            logger.warn("the conversation on " + channel + " failed after the channel was closed", cause);
        }
    }

    /** Waits until there is memory for it: nothing else closes the channel. */
    private void closeAfterLastWrite() {
        while (true) {
            try {
                ChannelFuture last = lastWrite;
                if (last == null) {
                    channel.close();
                } else {
                    last.addListener(ChannelFutureListener.CLOSE);
                }
                return;
            } catch (OutOfMemoryError e) {
                HeapReserve.onFailure(e);
                LockSupport.parkNanos(this, LOOK_NANOS);
            }
        }
    }

    private void releaseHold() {
        DrainEvent.Hold held;
        lock.lock();
        try {
            held = hold;
            hold = null;
        } finally {
            lock.unlock();
        }
        if (held != null) {
            held.release();
        }
    }
}
