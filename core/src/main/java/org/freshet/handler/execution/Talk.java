package org.freshet.handler.execution;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
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
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.DefaultObjectSizeEstimator;
import org.freshet.util.ObjectSizeEstimator;

/**
 * A connection as a {@link Conversation} sees it: messages are read and written one after the other, by methods that wait.
 *
 * <p>Any thread but the channel's I/O thread may call; usually it is the conversation's own. Methods named {@code onX} are called by
 * the handler, mostly on the I/O thread, and wait for nothing.
 */
public final class Talk {
    /** Messages that wait to be read before the channel is not read any more. */
    static final int MAX_MESSAGES = 16;

    /** Bytes of such messages, by estimate. */
    static final int MAX_BYTES = 64 * 1024;

    /** How often a write looks at the channel once the handler was removed: no event wakes it any more. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(ConversationHandler.class);
    private static final ObjectSizeEstimator SIZES = new DefaultObjectSizeEstimator();

    private enum State {
        /** The channel is not connected. */
        WAITING,
        RUNNING,
        /** What comes is dropped. */
        ENDED
    }

    /** A message, or a failure in its place in the order. */
    private record Item(Object message, ExceptionEvent failure, int bytes) {}

    private final ChannelHandlerContext ctx;
    private final Channel channel;
    private final ReadSuspension reading;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // ---- guarded by the lock ----

    private final ArrayDeque<Item> items = new ArrayDeque<>(4); // grows where messages wait
    private long bytes;
    private State state = State.WAITING;
    private boolean isInputEnded;
    private boolean isSuspended;
    private boolean isRemoved;

    /** Null unless the channel is being drained and the conversation has not ended. */
    private DrainEvent.Hold hold;

    /** The last message that was written; null before. */
    private volatile ChannelFuture lastWrite;

    Talk(ChannelHandlerContext ctx) {
        this.ctx = ctx;
        channel = ctx.getChannel();
        reading = ReadSuspension.at(ctx);
    }

    /** The connection's channel; what it offers may be used as well. */
    public Channel channel() {
        return channel;
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    /**
     * Waits for the next message.
     *
     * @return the message; null when there will be no more: the peer has ended its output, the channel is closed or is being drained
     * @throws IOException what handlers or the transport have failed with, in its place between the messages. Causes of other types are
     *     thrown as they are.
     * @throws IllegalStateException if the caller is the channel's I/O thread, which would wait for itself
     */
    public Object read() throws IOException, InterruptedException {
        return read(Long.MAX_VALUE);
    }

    /**
     * As {@link #read()}, but for a limited time.
     *
     * @param timeout 0 for a look at what has come
     * @throws SocketTimeoutException if nothing has come in time; the next call waits anew
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
            Talk.<RuntimeException>rethrow(item.failure.getCause());
        }
        return item == null ? null : item.message;
    }

    /** Returns null at the end of the input. */
    private Item awaitItem(long nanos) throws IOException, InterruptedException {
        long left = nanos;
        while (items.isEmpty() && !isInputEnded) {
            if (left <= 0) {
                throw new SocketTimeoutException("no message within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
            }
            if (nanos == Long.MAX_VALUE) {
                changed.await();
            } else {
                left = changed.awaitNanos(left);
            }
        }
        Item item = items.poll();
        bytes -= item == null ? 0 : item.bytes;
        return item;
    }

    /** Throws what it is given, as the compiler does not check. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void rethrow(Throwable cause) throws T {
        throw (T) cause;
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
     * Writes a message, once the channel is {@linkplain Channel#isWritable() writable}: a peer that does not read makes this wait.
     *
     * @return completes when the message has been sent; need not be waited for
     * @throws ChannelClosedException if the channel is closed
     * @throws IllegalStateException if the caller is the channel's I/O thread and the channel is not writable
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
                if (isRemoved) {
                    changed.awaitNanos(LOOK_NANOS);
                } else {
                    changed.await();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes the connection; what was written and not sent is sent only as far as it can be at once. See {@link Channel#close(CloseReason)}. */
    public ChannelFuture close(CloseReason reason) {
        return channel.close(reason);
    }

    // ---- what the handler reports -----------------------------------------------------------------------------------

    ReadSuspension reading() {
        return reading;
    }

    void onMessage(Object message) {
        add(new Item(message, null, SIZES.estimateSize(message)));
    }

    /** A failure that the conversation does not read goes up when it ends. */
    void onFailure(ExceptionEvent failure) {
        if (!add(new Item(null, failure, 0))) {
            ctx.sendUpstream(failure);
        }
    }

    /** Returns false if the conversation has ended. */
    private boolean add(Item item) {
        boolean suspends;
        lock.lock();
        try {
            if (state == State.ENDED) {
                return false;
            }
            items.add(item);
            bytes += item.bytes;
            changed.signalAll();
            suspends = !isSuspended && (items.size() >= MAX_MESSAGES || bytes >= MAX_BYTES);
            isSuspended |= suspends;
        } finally {
            lock.unlock();
        }
        if (suspends) {
            reading.suspend();
        }
        return true;
    }

    void onInputEnds() {
        lock.lock();
        try {
            isInputEnded = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The channel is read as the handlers that are left want it. */
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
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
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

    // ---- its life ---------------------------------------------------------------------------------------------------

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

    /** No thread could be had. */
    void onRefused() {
        end();
    }

    /** On the conversation's thread. */
    void run(Conversation conversation) {
        Throwable thrown = null;
        try {
            conversation.hold(this);
        } catch (Throwable t) {
            thrown = t;
        }
        ArrayDeque<Item> unread = end();
        for (Item item : unread) {
            if (item.failure != null) {
                report(item.failure.getCause());
            }
        }
        if (thrown != null) {
            Channels.noteCloseReason(
                    channel, CloseReason.of(CloseReason.Kind.LOCAL, "the conversation failed", thrown));
            report(thrown);
        }
        releaseHold(); // before the close, which would count as one that lost the conversation
        closeBehindLastWrite();
    }

    /** Returns what was not read. */
    private ArrayDeque<Item> end() {
        lock.lock();
        try {
            state = State.ENDED;
            ArrayDeque<Item> unread = items.clone();
            items.clear();
            bytes = 0;
            return unread;
        } finally {
            lock.unlock();
        }
    }

    /** No event follows channelClosed, and that a channel is closed is nothing to report then. */
    private void report(Throwable cause) {
        if (channel.isOpen()) {
            Channels.fireExceptionCaughtLater(ctx, cause);
        } else if (!(cause instanceof IOException)) {
            logger.warn("a conversation on " + channel + " failed after the channel was closed", cause);
        }
    }

    private void closeBehindLastWrite() {
        ChannelFuture last = lastWrite;
        if (last == null) {
            channel.close();
        } else {
            last.addListener(ChannelFutureListener.CLOSE);
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
