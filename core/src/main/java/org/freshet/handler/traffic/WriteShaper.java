package org.freshet.handler.traffic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.traffic.ShapedChannel.Write;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.Timeout;
import org.freshet.util.TimerTask;

/**
 * The waiting writes of all channels of one handler. A channel with waiting writes is either <em>ready</em>, and served as the
 * shared rate allows, or <em>resting</em> until its own rate allows the next write. Channels share the rate evenly, by bytes:
 * the channel that was served least is next.
 *
 * <p>Any thread may call. The lock guards all fields and those of {@link ShapedChannel} that say so; due writes are sent after it
 * was unlocked, for each channel by one thread at a time and so in order.
 */
final class WriteShaper implements TimerTask {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(WriteShaper.class);

    /** Not worth a wait: a write that is due within this time is sent now, and the next one waits longer. */
    static final long MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How early waiting writes may be sent, to make up for a late timer. */
    private static final long MAX_CATCH_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AbstractTrafficShapingHandler handler;

    private final ReentrantLock lock = new ReentrantLock();

    private final Queue<ShapedChannel> ready =
            new PriorityQueue<>(Comparator.comparingDouble((ShapedChannel channel) -> channel.served));

    private final Queue<ShapedChannel> resting =
            new PriorityQueue<>((a, b) -> Long.signum(a.restsUntilNanos - b.restsUntilNanos));

    /** {@link ShapedChannel#served} of the channel that was served last; the start value of a channel that begins to wait. */
    private double servedLast;

    private long totalBytes;

    /** The handler was released: no write waits any more. */
    private boolean released;

    /** Null if no write waits. */
    private Timeout wakeUp;

    private long wakeUpNanos;

    /** How late the last wake-up was, by which later writes may be early. */
    private long lateNanos;

    WriteShaper(AbstractTrafficShapingHandler handler) {
        this.handler = handler;
    }

    private long now() {
        return handler.nanoClock().getAsLong();
    }

    /** The bytes that wait. */
    long totalBytes() {
        lock.lock();
        try {
            return totalBytes;
        } finally {
            lock.unlock();
        }
    }

    /** The bytes of one channel that wait. */
    long waitingBytes(ShapedChannel channel) {
        lock.lock();
        try {
            return channel.waitingBytes;
        } finally {
            lock.unlock();
        }
    }

    // ---- new writes ----

    /**
     * Sends a write if its time has come.
     *
     * @return 0 if it was sent; else how long it would have to wait, in milliseconds, and nothing was done
     */
    long sendIfDue(ShapedChannel channel, MessageEvent event, long bytes) {
        long nowNanos = now();
        lock.lock();
        try {
            boolean mayPass = released
                    || channel.released
                    || channel.waiting.isEmpty()
                            && ready.isEmpty()
                            && isSharedFree(nowNanos)
                            && isOwnFree(channel, nowNanos);
            if (!mayPass) {
                return Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNanos(channel, nowNanos)));
            }
            channel.due.add(new Write(event, bytes));
            occupy(channel, bytes, nowNanos, lateNanos);
        } finally {
            lock.unlock();
        }
        sendDue(channel);
        return 0;
    }

    /** Queues a write until its time has come. */
    void enqueue(ShapedChannel channel, MessageEvent event, long bytes) {
        Set<ShapedChannel> touched;
        lock.lock();
        try {
            Write write = new Write(event, bytes);
            if (released || channel.released) {
                channel.due.add(write);
            } else {
                channel.waiting.add(write);
                channel.waitingBytes += bytes;
                totalBytes += bytes;
                if (channel.waiting.size() == 1) {
                    enqueueChannel(channel, now());
                }
                updateWritability(channel, now());
            }
            touched = serve();
            touched.add(channel);
        } finally {
            lock.unlock();
        }
        touched.forEach(this::sendDue);
    }

    // ---- time ----

    @Override
    public void run(Timeout due) {
        Set<ShapedChannel> touched;
        lock.lock();
        try {
            if (due != wakeUp) {
                return;
            }
            wakeUp = null;
            lateNanos = Math.max(0, Math.min(now() - wakeUpNanos, MAX_CATCH_UP_NANOS));
            touched = serve();
        } finally {
            lock.unlock();
        }
        // handlers below run on the I/O thread, not on the timer's
        touched.forEach(channel -> channel.ctx.getPipeline().execute(() -> sendDue(channel)));
    }

    /** The limits have changed. */
    void onConfigured() {
        Set<ShapedChannel> touched;
        lock.lock();
        try {
            List<ShapedChannel> rested = new ArrayList<>(resting);
            resting.clear();
            rested.forEach(channel -> enqueueChannel(channel, now()));
            touched = serve();
        } finally {
            lock.unlock();
        }
        touched.forEach(this::sendDue);
    }

    /** Marks the writes due whose time has come, and schedules the next wake-up. Returns the channels with due writes. */
    private Set<ShapedChannel> serve() {
        long nowNanos = now();
        Set<ShapedChannel> touched = new LinkedHashSet<>();
        while (!resting.isEmpty() && isOwnFree(resting.peek(), nowNanos)) {
            ready.add(resting.remove());
        }
        while (!ready.isEmpty() && isSharedFree(nowNanos)) {
            ShapedChannel channel = ready.remove();
            serveOne(channel, nowNanos);
            touched.add(channel);
        }
        try {
            setWakeUp(nowNanos);
        } catch (RuntimeException refusedByTimer) {
            touched.addAll(ready);
            touched.addAll(resting);
            touched.forEach(this::sendAllWaiting);
        }
        return touched;
    }

    private void serveOne(ShapedChannel channel, long nowNanos) {
        Write write = channel.waiting.remove();
        channel.waitingBytes -= write.bytes();
        totalBytes -= write.bytes();
        channel.due.add(write);
        occupy(channel, write.bytes(), nowNanos, MAX_CATCH_UP_NANOS);
        if (!channel.waiting.isEmpty()) {
            enqueueChannel(channel, nowNanos);
        }
        updateWritability(channel, nowNanos);
    }

    private void enqueueChannel(ShapedChannel channel, long nowNanos) {
        if (isOwnFree(channel, nowNanos)) {
            ready.add(channel);
        } else {
            channel.restsUntilNanos = nowNanos + ownWaitNanos(channel, nowNanos);
            resting.add(channel);
        }
    }

    private void setWakeUp(long nowNanos) {
        if (ready.isEmpty() && resting.isEmpty()) {
            cancelWakeUp();
            return;
        }
        long wait = Long.MAX_VALUE;
        if (!ready.isEmpty()) {
            wait = sharedWaitNanos(nowNanos);
        }
        if (!resting.isEmpty()) {
            wait = Math.min(wait, Math.max(0, resting.peek().restsUntilNanos - nowNanos));
        }
        if (wakeUp == null || wakeUpNanos - (nowNanos + wait) > 0) {
            cancelWakeUp();
            wakeUpNanos = nowNanos + wait;
            wakeUp = handler.timer().newTimeout(this, wait, TimeUnit.NANOSECONDS);
        }
    }

    private void cancelWakeUp() {
        if (wakeUp != null) {
            wakeUp.cancel();
            wakeUp = null;
        }
    }

    // ---- rates ----

    private boolean isSharedFree(long nowNanos) {
        return sharedWaitNanos(nowNanos) < MIN_WAIT_NANOS;
    }

    private boolean isOwnFree(ShapedChannel channel, long nowNanos) {
        return ownWaitNanos(channel, nowNanos) < MIN_WAIT_NANOS;
    }

    private long sharedWaitNanos(long nowNanos) {
        return handler.getWriteLimit() <= 0 ? 0 : handler.trafficCounter.writePace.waitNanos(nowNanos);
    }

    private long ownWaitNanos(ShapedChannel channel, long nowNanos) {
        return handler.channelWriteLimit() <= 0 ? 0 : channel.counter.writePace.waitNanos(nowNanos);
    }

    private void occupy(ShapedChannel channel, long bytes, long nowNanos, long creditNanos) {
        long maxNanos = TimeUnit.MILLISECONDS.toNanos(handler.getMaxTimeWait());
        long limit = handler.getWriteLimit();
        if (limit > 0) {
            handler.trafficCounter.writePace.occupy(bytes, limit, maxNanos, nowNanos, creditNanos);
        }
        long ownLimit = handler.channelWriteLimit();
        if (ownLimit > 0) {
            channel.counter.writePace.occupy(bytes, ownLimit, maxNanos, nowNanos, creditNanos);
        }
        servedLast = Math.max(channel.served, servedLast);
        channel.served = servedLast + bytes * handler.weight(channel);
    }

    /** How long a new write of this channel would wait; an estimate where channels share a rate. */
    private long waitNanos(ShapedChannel channel, long nowNanos) {
        long shared = 0;
        if (handler.getWriteLimit() > 0) {
            long before = Math.min(totalBytes, channel.waitingBytes * Math.max(1, ready.size()));
            shared = sharedWaitNanos(nowNanos) + Pace.nanosOf(before, handler.getWriteLimit());
        }
        long own = 0;
        if (handler.channelWriteLimit() > 0) {
            own = ownWaitNanos(channel, nowNanos) + Pace.nanosOf(channel.waitingBytes, handler.channelWriteLimit());
        }
        return Math.max(shared, own);
    }

    /** Makes the channel unwritable when too much waits, and writable again at half of the limit. */
    private void updateWritability(ShapedChannel channel, long nowNanos) {
        if (channel.waiting.isEmpty()) {
            channel.tooMuchWaits = false;
            return;
        }
        long waitMillis = TimeUnit.NANOSECONDS.toMillis(waitNanos(channel, nowNanos));
        int part = channel.tooMuchWaits ? 2 : 1;
        channel.tooMuchWaits = channel.waitingBytes > handler.getMaxWriteSize() / part
                || waitMillis > handler.getMaxWriteDelay() / part
                || totalBytes > handler.maxTotalWriteSize() / part;
    }

    // ---- sending ----

    /** Not under the lock. */
    private void sendDue(ShapedChannel channel) {
        boolean isSender = false;
        Write write;
        while ((write = takeDue(channel, isSender)) != null) {
            isSender = true;
            handler.passOn(channel, write);
        }
        announceWritability(channel);
    }

    /** Returns null if nothing is due, or another thread or an outer call is sending. */
    private Write takeDue(ShapedChannel channel, boolean isSender) {
        lock.lock();
        try {
            if (channel.sending && !isSender) {
                return null;
            }
            Write write = channel.due.poll();
            channel.sending = write != null;
            return write;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Handlers that hear of a change may write, and must then hear at once that too much waits. So calls nest, and each checks
     * again after it has fired, since other threads fire, too.
     */
    private void announceWritability(ShapedChannel channel) {
        int index = handler.writabilityIndex();
        boolean writable = isWritable(channel);
        while (channel.channel().getUserDefinedWritability(index) != writable) {
            channel.channel().setUserDefinedWritability(index, writable);
            writable = isWritable(channel);
        }
    }

    private boolean isWritable(ShapedChannel channel) {
        lock.lock();
        try {
            return !channel.tooMuchWaits;
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. Waiting writes become due. */
    private void sendAllWaiting(ShapedChannel channel) {
        channel.due.addAll(channel.waiting);
        forget(channel);
    }

    private void forget(ShapedChannel channel) {
        ready.remove(channel);
        resting.remove(channel);
        channel.waiting.clear();
        totalBytes -= channel.waitingBytes;
        channel.waitingBytes = 0;
        channel.tooMuchWaits = false;
    }

    /** The handler was removed from the pipeline: waiting writes of the channel are sent at once, and so are later ones. */
    void release(ShapedChannel channel) {
        lock.lock();
        try {
            channel.released = true;
            sendAllWaiting(channel);
        } finally {
            lock.unlock();
        }
        sendDue(channel);
        onConfigured();
    }

    /** The handler was released: waiting writes are sent at once, and so are later ones. */
    void releaseAll() {
        Set<ShapedChannel> touched;
        lock.lock();
        try {
            released = true;
            touched = new LinkedHashSet<>(ready);
            touched.addAll(resting);
            touched.forEach(this::sendAllWaiting);
            cancelWakeUp();
        } finally {
            lock.unlock();
        }
        touched.forEach(this::sendDue);
    }

    /** A user's future that throws must not keep other writes from completing. */
    static void fail(Write write, Throwable cause) {
        try {
            write.event().getFuture().setFailure(cause);
        } catch (RuntimeException | Error e) {
            logger.warn("the future of a write threw when it was failed: " + write.event(), e);
        }
    }

    /** The channel is closed: waiting writes fail. */
    void close(ShapedChannel channel) {
        List<Write> lost;
        lock.lock();
        try {
            channel.released = true;
            lost = new ArrayList<>(channel.due);
            lost.addAll(channel.waiting);
            channel.due.clear();
            forget(channel);
        } finally {
            lock.unlock();
        }
        if (!lost.isEmpty()) {
            lost.forEach(
                    write -> fail(write, ChannelClosedException.of(write.event().getChannel())));
        }
        onConfigured();
    }
}
