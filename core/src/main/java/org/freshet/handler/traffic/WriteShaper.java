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
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.traffic.ShapedChannel.Write;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.SpareThreads;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * The waiting writes of all channels of one handler. A channel with waiting writes is either <em>ready</em>, and served as the
 * shared rate allows, or <em>resting</em> until its own rate allows the next write. Channels share the rate evenly, by bytes:
 * the channel that was served least is next.
 *
 * <p>Any thread may call. The lock guards all fields and those of {@link ShapedChannel} that say so, and no code of the user's runs while it
 * is held: settings are read before, and what was decided is done after, as a {@link Turn}. Due writes are sent for each channel by one
 * thread at a time and so in order.
 */
final class WriteShaper {
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
    private WakeUp wakeUp;

    /** How late the last wake-up was, by which later writes may be early. */
    private long lateNanos;

    /** How often the settings have changed. Written under the lock. */
    private volatile int version;

    /** The settings as they were last read. Not guarded. */
    private volatile ShaperLimits lastLimits = ShaperLimits.NONE;

    /** What is to be done once the lock is free. */
    private static final class Turn {
        /** Channels with due writes. */
        final Set<ShapedChannel> touched = new LinkedHashSet<>();

        /** To cancel; null for none. */
        WakeUp stale;

        /** To start; null for none. */
        WakeUp fresh;
    }

    WriteShaper(AbstractTrafficShapingHandler handler) {
        this.handler = handler;
    }

    private long now() {
        return handler.nanoClock().getAsLong();
    }

    /** Takes the lock, with settings that are those of now. Those that a getter of the user's refuses stay as they were. */
    private ShaperLimits lock() {
        while (true) {
            ShaperLimits limits = readLimits();
            lock.lock();
            if (limits.version() == version) {
                return limits;
            }
            lock.unlock();
        }
    }

    private ShaperLimits readLimits() {
        int before = version;
        ShaperLimits limits;
        try {
            limits = ShaperLimits.of(handler, before);
        } catch (RuntimeException | Error e) {
            logger.warn("a getter of " + handler.getClass().getName() + " threw; its last limits still apply", e);
            limits = lastLimits.withVersion(before);
        }
        lastLimits = limits;
        return limits;
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

    // ---- new writes ----

    /**
     * Sends a write if its time has come.
     *
     * @return 0 if it was sent; else how long it would have to wait, in milliseconds, and nothing was done
     */
    long sendIfDue(ShapedChannel channel, MessageEvent event, long bytes) {
        long nowNanos = now();
        ShaperLimits limits = lock();
        try {
            boolean mayPass = released
                    || channel.released
                    || channel.waiting.isEmpty()
                            && ready.isEmpty()
                            && isSharedFree(limits, nowNanos)
                            && isOwnFree(limits, channel, nowNanos);
            if (!mayPass) {
                return Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNanos(limits, channel, nowNanos)));
            }
            channel.due.add(new Write(event, bytes));
            occupy(limits, channel, bytes, nowNanos, lateNanos);
        } finally {
            lock.unlock();
        }
        sendDue(channel);
        return 0;
    }

    /** Queues a write until its time has come. */
    void enqueue(ShapedChannel channel, MessageEvent event, long bytes) {
        Turn turn = new Turn();
        ShaperLimits limits = lock();
        try {
            Write write = new Write(event, bytes);
            if (released || channel.released) {
                channel.due.add(write);
            } else {
                channel.waiting.add(write);
                channel.waitingBytes += bytes;
                totalBytes += bytes;
                if (channel.waiting.size() == 1) {
                    enqueueChannel(limits, channel, now());
                }
                updateWritability(limits, channel, now());
            }
            serve(limits, turn);
        } finally {
            lock.unlock();
        }
        setTimer(turn);
        turn.touched.remove(channel);
        sendOnOwnThreads(turn);
        sendDue(channel);
    }

    private void sendOnOwnThreads(Turn turn) {
        turn.touched.forEach(this::sendOnOwnThread);
    }

    /** Where writes block, a slow peer must block neither the timer nor the writer of another channel. */
    private void sendOnOwnThread(ShapedChannel channel) {
        if (SerialChannel.isWriteBlocking(channel.channel())) {
            SpareThreads.execute(() -> sendDue(channel));
        } else {
            channel.ctx.getPipeline().execute(() -> sendDue(channel));
        }
    }

    // ---- time ----

    /** On the timer's thread. */
    private void onDue(WakeUp due) {
        Turn turn = new Turn();
        ShaperLimits limits = lock();
        try {
            if (due != wakeUp) {
                return;
            }
            wakeUp = null;
            lateNanos = Math.max(0, Math.min(now() - due.dueNanos, MAX_CATCH_UP_NANOS));
            serve(limits, turn);
        } finally {
            lock.unlock();
        }
        setTimer(turn);
        sendOnOwnThreads(turn);
    }

    /** The limits have changed. Doesn't block. */
    void onConfigured() {
        lock.lock();
        version++;
        lock.unlock();
        Turn turn = new Turn();
        ShaperLimits limits = lock();
        try {
            List<ShapedChannel> rested = new ArrayList<>(resting);
            resting.clear();
            rested.forEach(channel -> enqueueChannel(limits, channel, now()));
            serve(limits, turn);
        } finally {
            lock.unlock();
        }
        setTimer(turn);
        sendOnOwnThreads(turn);
    }

    /** Marks the writes due whose time has come, and decides when the next ones are. */
    private void serve(ShaperLimits limits, Turn turn) {
        long nowNanos = now();
        while (!resting.isEmpty() && isOwnFree(limits, resting.peek(), nowNanos)) {
            ready.add(resting.remove());
        }
        while (!ready.isEmpty() && isSharedFree(limits, nowNanos)) {
            ShapedChannel channel = ready.remove();
            serveOne(limits, channel, nowNanos);
            turn.touched.add(channel);
        }
        planWakeUp(limits, turn, nowNanos);
    }

    private void serveOne(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        Write write = channel.waiting.remove();
        channel.waitingBytes -= write.bytes();
        totalBytes -= write.bytes();
        channel.due.add(write);
        occupy(limits, channel, write.bytes(), nowNanos, MAX_CATCH_UP_NANOS);
        if (!channel.waiting.isEmpty()) {
            enqueueChannel(limits, channel, nowNanos);
        }
        updateWritability(limits, channel, nowNanos);
    }

    private void enqueueChannel(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        if (isOwnFree(limits, channel, nowNanos)) {
            ready.add(channel);
        } else {
            channel.restsUntilNanos = nowNanos + ownWaitNanos(limits, channel, nowNanos);
            resting.add(channel);
        }
    }

    private void planWakeUp(ShaperLimits limits, Turn turn, long nowNanos) {
        if (ready.isEmpty() && resting.isEmpty()) {
            dropWakeUp(turn);
            return;
        }
        long wait = Long.MAX_VALUE;
        if (!ready.isEmpty()) {
            wait = sharedWaitNanos(limits, nowNanos);
        }
        if (!resting.isEmpty()) {
            wait = Math.min(wait, Math.max(0, resting.peek().restsUntilNanos - nowNanos));
        }
        if (wakeUp == null || wakeUp.dueNanos - (nowNanos + wait) > 0) {
            dropWakeUp(turn);
            wakeUp = new WakeUp(nowNanos + wait, this::onDue);
            turn.fresh = wakeUp;
        }
    }

    private void dropWakeUp(Turn turn) {
        turn.stale = wakeUp;
        wakeUp = null;
    }

    /** Not under the lock. If the timer refuses, all that waits is due, unless another wake-up was decided on meanwhile. */
    private void setTimer(Turn turn) {
        if (turn.stale != null) {
            turn.stale.cancel();
        }
        if (turn.fresh == null) {
            return;
        }
        try {
            long wait = Math.max(0, turn.fresh.dueNanos - now());
            turn.fresh.start(handler.timer(), wait, TimeUnit.NANOSECONDS);
        } catch (RuntimeException | Error refused) {
            onRefused(turn);
        }
    }

    private void onRefused(Turn turn) {
        lock.lock();
        try {
            if (wakeUp == turn.fresh) {
                wakeUp = null;
                sendAllWaiting(turn);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- rates ----

    private boolean isSharedFree(ShaperLimits limits, long nowNanos) {
        return sharedWaitNanos(limits, nowNanos) < MIN_WAIT_NANOS;
    }

    private boolean isOwnFree(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        return ownWaitNanos(limits, channel, nowNanos) < MIN_WAIT_NANOS;
    }

    private long sharedWaitNanos(ShaperLimits limits, long nowNanos) {
        return !limits.isShared() ? 0 : handler.trafficCounter.writePace.waitNanos(nowNanos);
    }

    private long ownWaitNanos(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        return !limits.isOwn() ? 0 : channel.counter.writePace.waitNanos(nowNanos);
    }

    private void occupy(ShaperLimits limits, ShapedChannel channel, long bytes, long nowNanos, long creditNanos) {
        if (limits.isShared()) {
            handler.trafficCounter.writePace.occupy(
                    bytes, limits.bytesPerSecond(), limits.maxNanos(), nowNanos, creditNanos);
        }
        if (limits.isOwn()) {
            channel.counter.writePace.occupy(
                    bytes, limits.channelBytesPerSecond(), limits.maxNanos(), nowNanos, creditNanos);
        }
        servedLast = Math.max(channel.served, servedLast);
        channel.served = servedLast + bytes * handler.weight(channel);
    }

    /** How long a new write of this channel would wait; an estimate where channels share a rate. */
    private long waitNanos(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        long shared = 0;
        if (limits.isShared()) {
            long before = Math.min(totalBytes, channel.waitingBytes * Math.max(1, ready.size()));
            shared = sharedWaitNanos(limits, nowNanos) + Pace.nanosOf(before, limits.bytesPerSecond());
        }
        long own = 0;
        if (limits.isOwn()) {
            own = ownWaitNanos(limits, channel, nowNanos)
                    + Pace.nanosOf(channel.waitingBytes, limits.channelBytesPerSecond());
        }
        return Math.max(shared, own);
    }

    /** Makes the channel unwritable when too much waits, and writable again at half of the limit. */
    private void updateWritability(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        if (channel.waiting.isEmpty()) {
            channel.tooMuchWaits = false;
            return;
        }
        long waitMillis = TimeUnit.NANOSECONDS.toMillis(waitNanos(limits, channel, nowNanos));
        int part = channel.tooMuchWaits ? 2 : 1;
        channel.tooMuchWaits = channel.waitingBytes > limits.maxWriteSize() / part
                || waitMillis > limits.maxWriteDelayMillis() / part
                || totalBytes > limits.maxTotalWriteSize() / part;
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

    /** Under the lock. */
    private void sendAllWaiting(Turn turn) {
        turn.touched.addAll(ready);
        turn.touched.addAll(resting);
        turn.touched.forEach(this::sendAllWaiting);
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
        Turn turn = new Turn();
        lock.lock();
        try {
            released = true;
            sendAllWaiting(turn);
            dropWakeUp(turn);
        } finally {
            lock.unlock();
        }
        setTimer(turn);
        sendOnOwnThreads(turn);
    }

    /** A user's future that throws must not keep other writes from completing. */
    static void fail(Write write, Throwable cause) {
        try {
            UnsentMessage.fail(write.event(), cause);
        } catch (RuntimeException | Error e) {
            logger.warn("the future of a write threw when it was failed: " + write.event(), e);
        }
    }

    private static void lose(Write write) {
        Channel channel = write.event().getChannel();
        WriteAccount.release(channel, HeldWrite.chargeOf(write.event()));
        fail(write, ChannelClosedException.of(channel));
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
            lost.forEach(WriteShaper::lose);
        }
        onConfigured();
    }
}
