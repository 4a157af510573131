package org.freshet.handler.traffic;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.channel.Channel;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.LastWords;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Alarm;
import org.freshet.internal.time.IndexedHeap;
import org.freshet.internal.time.SpareThreads;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * The waiting writes of all channels of one handler. A channel with waiting writes is either <em>ready</em>, and served as the
 * shared rate allows, or <em>resting</em> until its own rate allows the next write. Channels share the rate evenly, by bytes:
 * the channel that was served least is next.
 *
 * <p>Any thread may call. The lock guards all fields and those of {@link ShapedChannel} that say so, and no code of the user's runs while it
 * is held: settings are read before, and what was decided is done after. Due writes are sent for each channel by one thread at a time and so
 * in order.
 *
 * <p>Whatever takes memory comes before what changes; all else links objects that exist. What can't be done for lack of memory once a write
 * is queued is done when the alarm goes off.
 */
final class WriteShaper {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(WriteShaper.class);

    /** Not worth a wait: a write that is due within this time is sent now, and the next one waits longer. */
    static final long MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How early waiting writes may be sent, to make up for a late timer. */
    private static final long MAX_CATCH_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AbstractTrafficShapingHandler handler;

    private final ReentrantLock lock = new ReentrantLock();

    private final IndexedHeap<ShapedChannel> ready = new IndexedHeap<>((a, b) -> a.served < b.served);

    private final IndexedHeap<ShapedChannel> resting =
            new IndexedHeap<>((a, b) -> a.restsUntilNanos - b.restsUntilNanos < 0);

    /** Channels with due writes that no thread is about to send. */
    private ShapedChannel firstTouched;

    private ShapedChannel lastTouched;

    /** {@link ShapedChannel#served} of the channel that was served last; the start value of a channel that begins to wait. */
    private double servedLast;

    private long totalBytes;

    /** The handler was released: no write waits any more. */
    private boolean released;

    /** Whether the alarm is wanted; written under the lock. */
    private volatile boolean isWaking;

    /** When the alarm is wanted. Written under the lock. */
    private volatile long wakeNanos;

    private final Alarm alarm;

    /** How late the last wake-up was, by which later writes may be early. */
    private long lateNanos;

    /** How often the settings have changed. Written under the lock. */
    private volatile int version;

    /** The settings as they were last read. Not guarded. */
    private volatile ShaperLimits lastLimits = ShaperLimits.NONE;

    /** @param handler has its timer already */
    WriteShaper(AbstractTrafficShapingHandler handler) {
        this.handler = handler;
        this.alarm = new Alarm(handler.timer(), Runnable::run, this::onDue);
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
            LastWords.warn(logger, "a getter threw; the last limits still apply", handler.getClass(), e);
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
        ShapedWrite write = new ShapedWrite(channel, event, bytes);
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
            occupy(limits, channel, bytes, nowNanos, lateNanos);
            channel.due.add(write);
        } finally {
            lock.unlock();
        }
        sendDue(channel);
        return 0;
    }

    /** Queues a write until its time has come. If that fails, its charge ends. */
    void enqueue(ShapedChannel channel, MessageEvent event, long bytes) {
        try {
            enqueue(new ShapedWrite(channel, event, bytes), now());
        } catch (Throwable t) {
            WriteAccount.release(channel.channel(), HeldWrite.chargeOf(event));
            throw t;
        }
        act(channel);
        sendDue(channel);
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

    /** On the timer's thread, or another one that may block. */
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

    /** The limits have changed. Doesn't block. */
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
            for (; rested != null; rested = rested.nextRested) {
                enqueueChannel(limits, rested, nowNanos);
            }
            serve(limits, nowNanos);
        } finally {
            lock.unlock();
        }
        act(null);
    }

    /** Marks the writes due whose time has come, and decides when the next ones are. */
    private void serve(ShaperLimits limits, long nowNanos) {
        while (!resting.isEmpty() && isOwnFree(limits, resting.first(), nowNanos)) {
            ShapedChannel channel = resting.remove(resting.first());
            channel.isResting = false;
            ready.add(channel);
        }
        while (!ready.isEmpty() && isSharedFree(limits, nowNanos)) {
            serveOne(limits, ready.remove(ready.first()), nowNanos);
        }
        planWakeUp(limits, nowNanos);
    }

    private void serveOne(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        ShapedWrite write = channel.waiting.poll();
        channel.waitingBytes -= write.bytes;
        totalBytes -= write.bytes;
        channel.due.add(write);
        touch(channel);
        occupy(limits, channel, write.bytes, nowNanos, MAX_CATCH_UP_NANOS);
        if (!channel.waiting.isEmpty()) {
            enqueueChannel(limits, channel, nowNanos);
        }
        updateWritability(limits, channel, nowNanos);
    }

    private void enqueueChannel(ShaperLimits limits, ShapedChannel channel, long nowNanos) {
        channel.isResting = !isOwnFree(limits, channel, nowNanos);
        if (channel.isResting) {
            channel.restsUntilNanos = nowNanos + ownWaitNanos(limits, channel, nowNanos);
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
            wait = sharedWaitNanos(limits, nowNanos);
        }
        if (!resting.isEmpty()) {
            wait = Math.min(wait, Math.max(0, resting.first().restsUntilNanos - nowNanos));
        }
        if (!isWaking || wakeNanos - (nowNanos + wait) > 0) {
            wakeNanos = nowNanos + wait;
            isWaking = true;
        }
    }

    /** Looks again after it has cancelled: another thread may have set it meanwhile. If the timer refuses, all that waits is due. */
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
        } catch (RuntimeException | Error refused) { // after the timer was stopped, for example
            sendAllWaiting();
        }
    }

    // ---- what was decided ----

    /** Not under the lock. Throws no Error: what it can't do is done when the alarm goes off. */
    private void act(ShapedChannel own) {
        try {
            setTimer();
            for (ShapedChannel next = nextTouched(); next != null; next = nextTouched()) {
                if (next != own) {
                    sendOnOwnThread(next);
                }
            }
        } catch (Error e) {
            alarm.retry();
            LastWords.warn(logger, "writes that are due wait for another second", handler.getClass(), e);
        }
    }

    /** Where writes block, a slow peer must block neither the timer nor the writer of another channel. */
    private void sendOnOwnThread(ShapedChannel channel) {
        try {
            if (SerialChannel.isWriteBlocking(channel.channel())) {
                SpareThreads.execute(() -> sendDue(channel));
            } else {
                channel.ctx.getPipeline().execute(() -> sendDue(channel));
            }
        } catch (Error e) {
            touchAgain(channel);
            throw e;
        } catch (RuntimeException e) { // no thread is left that could send it
            LastWords.warn(logger, "writes that are due can't be sent", channel.channel(), e);
        }
    }

    /** Under the lock. */
    private void touch(ShapedChannel channel) {
        if (channel.isTouched) {
            return;
        }
        channel.isTouched = true;
        channel.nextTouched = null;
        if (firstTouched == null) {
            firstTouched = channel;
        } else {
            lastTouched.nextTouched = channel;
        }
        lastTouched = channel;
    }

    private void touchAgain(ShapedChannel channel) {
        lock.lock();
        try {
            touch(channel);
        } finally {
            lock.unlock();
        }
    }

    /** Null if there is none. */
    private ShapedChannel nextTouched() {
        lock.lock();
        try {
            ShapedChannel next = firstTouched;
            if (next != null) {
                firstTouched = next.nextTouched;
                next.isTouched = false;
            }
            return next;
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

    /** Not under the lock. Throws nothing: what it can't do is done when the alarm goes off. */
    private void sendDue(ShapedChannel channel) {
        try {
            boolean isSender = false;
            ShapedWrite write;
            while ((write = takeDue(channel, isSender)) != null) {
                isSender = true;
                handler.passOn(write);
            }
            announceWritability(channel);
        } catch (Throwable t) {
            touchAgain(channel);
            alarm.retry();
            LastWords.warn(logger, "writes that are due wait for another second", channel.channel(), t);
        }
    }

    /** Returns null if nothing is due, or another thread or an outer call is sending. */
    private ShapedWrite takeDue(ShapedChannel channel, boolean isSender) {
        lock.lock();
        try {
            if (channel.sending && !isSender) {
                return null;
            }
            ShapedWrite write = channel.due.poll();
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

    private void sendAllWaiting() {
        lock.lock();
        try {
            isWaking = false;
            for (ShapedChannel next = anyWaiting(); next != null; next = anyWaiting()) {
                sendAllWaiting(next);
                touch(next);
            }
        } finally {
            lock.unlock();
        }
    }

    private ShapedChannel anyWaiting() {
        return ready.isEmpty() ? resting.first() : ready.first();
    }

    /** Under the lock, about a channel of which nothing waits any more. */
    private void forget(ShapedChannel channel) {
        if (channel.isInHeap()) {
            heapOf(channel).remove(channel);
        }
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
        lock.lock();
        try {
            released = true;
        } finally {
            lock.unlock();
        }
        sendAllWaiting();
        act(null);
    }

    /** The channel is closed: waiting writes fail. */
    void close(ShapedChannel channel) {
        WriteChain lost = new WriteChain();
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

    private static void fail(WriteChain lost, Channel channel) {
        Throwable cause = UnsentMessage.causeOfClosed(channel);
        for (ShapedWrite next = lost.poll(); next != null; next = lost.poll()) {
            HeldWrite.release(next.event);
            fail(next, cause);
        }
    }

    /** A user's future that throws must not keep other writes from completing. */
    static void fail(ShapedWrite write, Throwable cause) {
        try {
            UnsentMessage.fail(write.event, cause);
        } catch (Throwable e) {
            LastWords.warn(logger, "the future of a write threw when it was failed", write.event, e);
        }
    }
}
