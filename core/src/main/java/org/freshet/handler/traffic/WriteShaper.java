package org.freshet.handler.traffic;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.channel.Channel;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.handler.Chain;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.time.Alarm;
import org.freshet.internal.time.IndexedHeap;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * The waiting writes of all channels of one handler. A channel with waiting writes is either <em>ready</em>, and served
 * as the shared rate allows, or <em>resting</em> until its own rate allows the next write. Channels share the rate
 * evenly, by bytes: the channel served least is next.
 *
 * <p>Any thread may call it. The lock guards all fields and the fields of {@link ShapedChannel} marked so. No user code
 * runs while it is held: settings are read before, and decisions are carried out after. For each channel, one thread at
 * a time sends due writes, so they stay in order.
 *
 * <p>Everything that allocates comes before the changes; the changes only link existing objects. If memory runs out
 * after a write is queued, the remaining steps are retried when the alarm goes off.
 */
final class WriteShaper {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(WriteShaper.class);
    private static final FailsafeLogMessage GETTER_THREW =
            FailsafeLogMessage.warning(logger, "a getter threw; the previous limits still apply");
    private static final FailsafeLogMessage WRITES_WAIT =
            FailsafeLogMessage.warning(logger, "due writes are delayed by another second");
    private static final FailsafeLogMessage FUTURE_THREW =
            FailsafeLogMessage.warning(logger, "the future of a write threw when failed");

    /** How early waiting writes may be sent, to make up for a late timer. */
    private static final long MAX_CATCH_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AbstractTrafficShapingHandler handler;

    private final ReentrantLock lock = new ReentrantLock();

    private final IndexedHeap<ShapedChannel> ready = new IndexedHeap<>((a, b) -> a.served < b.served);

    private final IndexedHeap<ShapedChannel> resting =
            new IndexedHeap<>((a, b) -> a.restsUntilNanos - b.restsUntilNanos < 0);

    private long totalBytes;

    /** The handler was released: no write waits any more. */
    private boolean released;

    /** Whether the alarm is needed. Written under the lock. */
    private volatile boolean isWaking;

    /** When the alarm is needed. Written under the lock. */
    private volatile long wakeNanos;

    private final Alarm alarm;
    private final WriteRates rates;
    private final DueWrites due;

    /** How late the last wake-up was; later writes may be early by that much. */
    private long lateNanos;

    /** Counts changes of the settings. Written under the lock. */
    private volatile int version;

    /** The settings as last read. Not guarded. */
    private volatile ShaperLimits lastLimits = ShaperLimits.NONE;

    /** @param handler must already have its timer */
    WriteShaper(AbstractTrafficShapingHandler handler) {
        this.handler = handler;
        this.alarm = new Alarm(handler.timer(), Runnable::run, this::onDue);
        this.rates = new WriteRates(handler);
        this.due = new DueWrites(handler, lock, alarm);
    }

    private long now() {
        return handler.timer().nanoTime();
    }

    /** Takes the lock with current settings. If a user's getter throws, the settings stay as they were. */
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
        } catch (Throwable e) {
            GETTER_THREW.log(handler.getClass(), e);
            limits = lastLimits.withVersion(before);
        }
        lastLimits = limits;
        return limits;
    }

    /** Returns the number of bytes waiting. */
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
     * Sends a write if it is due.
     *
     * @return 0 if it was sent; otherwise how long it would have to wait, in milliseconds, and nothing was done
     */
    long sendIfDue(ShapedChannel channel, MessageEvent event, long bytes) {
        ShapedWrite write = new ShapedWrite(channel, event, bytes);
        long nowNanos = now();
        ShaperLimits limits = lock();
        try {
            boolean mayPass = released
                    || channel.released
                    || channel.waiting.isEmpty()
                            && ready.isEmpty()
                            && rates.isSharedFree(limits, nowNanos)
                            && rates.isOwnFree(limits, channel, nowNanos);
            if (!mayPass) {
                return Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNanos(limits, channel, nowNanos)));
            }
            rates.occupy(limits, channel, bytes, nowNanos, lateNanos);
            channel.due.add(write);
        } finally {
            lock.unlock();
        }
        due.sendDue(channel);
        return 0;
    }

    /** Queues a write until it is due. If this throws, the write's charge is released. */
    void enqueue(ShapedChannel channel, MessageEvent event, long bytes) {
        try {
            enqueue(new ShapedWrite(channel, event, bytes), now());
        } catch (Throwable t) {
            WriteAccount.release(channel.channel(), HeldWrite.chargeOf(event));
            throw t;
        }
        act(channel);
        due.sendDue(channel);
    }

    private void enqueue(ShapedWrite write, long nowNanos) {
        ShapedChannel channel = write.channel;
        ShaperLimits limits = lock();
        try {
            if (released || channel.released) {
                channel.due.add(write);
                return;
            }
            int channels = ready.size() + resting.size() + 1;
            ready.reserve(channels);
            resting.reserve(channels);
            boolean isFirst = channel.waiting.isEmpty();
            channel.waiting.add(write);
            channel.waitingBytes += write.bytes;
            totalBytes += write.bytes;
            if (isFirst) {
                enqueueChannel(limits, channel, nowNanos);
            }
            updateWritability(limits, channel, nowNanos);
            serve(limits, nowNanos);
        } finally {
            lock.unlock();
        }
    }

    // ---- time ----

    /** Called on the timer's thread, or on another one that may block. */
    private void onDue() {
        long nowNanos = now();
        ShaperLimits limits = lock();
        try {
            if (isWaking && nowNanos - wakeNanos >= 0) {
                lateNanos = Math.min(nowNanos - wakeNanos, MAX_CATCH_UP_NANOS);
            }
            isWaking = false;
            serve(limits, nowNanos);
        } finally {
            lock.unlock();
        }
        act(null);
    }

    /** Called when the limits have changed. Doesn't block. */
    void onConfigured() {
        lock.lock();
        version++;
        lock.unlock();
        long nowNanos = now();
        ShaperLimits limits = lock();
        try {
            ShapedChannel rested = null;
            while (!resting.isEmpty()) {
                ShapedChannel channel = resting.remove(resting.first());
                channel.nextRested = rested;
                rested = channel;
            }
            while (rested != null) {
                ShapedChannel channel = rested;
                rested = channel.nextRested;
                channel.nextRested = null; // a channel must not keep closed ones reachable
                enqueueChannel(limits, channel, nowNanos);
            }
            serve(limits, nowNanos);
        } finally {
            lock.unlock();
        }
        act(null);
    }

    /** Marks writes as due and decides when the next ones will be. */
    private void serve(ShaperLimits limits, long nowNanos) {
        while (!resting.isEmpty() && rates.isOwnFree(limits, resting.first(), nowNanos)) {
            ShapedChannel channel = resting.remove(resting.first());
            channel.isResting = false;
            ready.add(channel);
        }
        while (!ready.isEmpty() && rates.isSharedFree(limits, nowNanos)) {
            serveOne(limits, ready.remove(ready.first()), nowNanos);
        }
        planWakeUp(limits, nowNanos);
    }

    private void serveOne(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        ShapedWrite write = channel.waiting.poll();
        channel.waitingBytes -= write.bytes;
        totalBytes -= write.bytes;
        channel.due.add(write);
        due.add(channel);
        rates.occupy(limits, channel, write.bytes, nowNanos, MAX_CATCH_UP_NANOS);
        if (!channel.waiting.isEmpty()) {
            enqueueChannel(limits, channel, nowNanos);
        }
        updateWritability(limits, channel, nowNanos);
    }

    private void enqueueChannel(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        channel.isResting = !rates.isOwnFree(limits, channel, nowNanos);
        if (channel.isResting) {
            channel.restsUntilNanos = nowNanos + rates.ownWaitNanos(limits, channel, nowNanos);
        }
        heapOf(channel).add(channel);
    }

    private IndexedHeap<ShapedChannel> heapOf(ShapedChannel channel) {
        return channel.isResting ? resting : ready;
    }

    private void planWakeUp(ShaperLimits limits, long nowNanos) {
        if (ready.isEmpty() && resting.isEmpty()) {
            isWaking = false;
            return;
        }
        long wait = Long.MAX_VALUE;
        if (!ready.isEmpty()) {
            wait = rates.sharedWaitNanos(limits, nowNanos);
        }
        if (!resting.isEmpty()) {
            wait = Math.min(wait, Math.max(0, resting.first().restsUntilNanos - nowNanos));
        }
        if (!isWaking || wakeNanos - (nowNanos + wait) > 0) {
            wakeNanos = nowNanos + wait;
            isWaking = true;
        }
    }

    /**
     * Checks again after cancelling, because another thread may have set the timer in between. If the timer refuses,
     * all waiting writes become due.
     */
    private void setTimer() {
        if (!isWaking) {
            alarm.cancel();
        }
        if (!isWaking) {
            return;
        }
        long nowNanos = now();
        try {
            alarm.setBy(wakeNanos, nowNanos);
        } catch (Throwable refused) { // for example, the timer was stopped
            sendAllWaiting();
        }
    }

    // ---- consequences of a change ----

    /**
     * Not called under the lock. Throws no Error: whatever fails is retried when the alarm goes off.
     *
     * @param own the channel the caller sends itself, or null
     */
    private void act(ShapedChannel own) {
        try {
            setTimer();
            due.sendAll(own);
        } catch (Error e) {
            alarm.retry();
            WRITES_WAIT.log(handler.getClass(), e);
        }
    }

    /** Returns how long a new write of this channel would wait; an estimate if channels share a rate. */
    private long waitNanos(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        return rates.waitNanos(limits, channel, totalBytes, ready.size(), nowNanos);
    }

    /** Makes the channel unwritable when too much is waiting, and writable again at half of the limit. */
    private void updateWritability(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        if (channel.waiting.isEmpty()) {
            channel.isCongested = false;
            return;
        }
        long waitMillis = TimeUnit.NANOSECONDS.toMillis(waitNanos(limits, channel, nowNanos));
        int part = channel.isCongested ? 2 : 1;
        channel.isCongested = channel.waitingBytes > limits.maxWriteSize() / part
                || waitMillis > limits.maxWriteDelayMillis() / part
                || totalBytes > limits.maxTotalWriteSize() / part;
    }

    /** Called under the lock. Makes waiting writes due. */
    private void sendAllWaiting(ShapedChannel channel) {
        channel.due.addAll(channel.waiting);
        forget(channel);
    }

    private void sendAllWaiting() {
        lock.lock();
        try {
            isWaking = false;
            for (ShapedChannel next = anyWaiting(); next != null; next = anyWaiting()) {
                sendAllWaiting(next);
                due.add(next);
            }
        } finally {
            lock.unlock();
        }
    }

    private ShapedChannel anyWaiting() {
        return ready.isEmpty() ? resting.first() : ready.first();
    }

    /** Called under the lock, for a channel with no more waiting writes. */
    private void forget(ShapedChannel channel) {
        if (channel.isInHeap()) {
            heapOf(channel).remove(channel);
        }
        totalBytes -= channel.waitingBytes;
        channel.waitingBytes = 0;
        channel.isCongested = false;
    }

    /**
     * Called when the handler was removed from the pipeline: the channel's waiting writes are sent immediately, and so
     * are later ones.
     */
    void release(ShapedChannel channel) {
        lock.lock();
        try {
            channel.released = true;
            sendAllWaiting(channel);
        } finally {
            lock.unlock();
        }
        due.sendDue(channel);
        onConfigured();
    }

    /** Called when the handler is released: waiting writes are sent immediately, and so are later ones. */
    void releaseAll() {
        lock.lock();
        try {
            released = true; // together with the next step: a write that sees it must not overtake waiting ones
            sendAllWaiting();
        } finally {
            lock.unlock();
        }
        act(null);
    }

    /** Called when the channel is closed: waiting writes fail. */
    void close(ShapedChannel channel) {
        Chain<ShapedWrite> lost = new Chain<>();
        lock.lock();
        try {
            channel.released = true;
            lost.addAll(channel.due);
            lost.addAll(channel.waiting);
            forget(channel);
        } finally {
            lock.unlock();
        }
        if (!lost.isEmpty()) {
            fail(lost, channel.channel());
        }
        onConfigured();
    }

    private static void fail(Chain<ShapedWrite> lost, Channel channel) {
        Throwable cause = UnsentMessage.causeOfClosed(channel);
        for (ShapedWrite next = lost.poll(); next != null; next = lost.poll()) {
            HeldWrite.release(next.event);
            fail(next, cause);
        }
    }

    /** Fails a write. If a user's future throws, other writes must still complete. */
    static void fail(ShapedWrite write, Throwable cause) {
        try {
            UnsentMessage.fail(write.event, cause);
        } catch (Throwable e) {
            FUTURE_THREW.log(write.event, e);
        }
    }
}
