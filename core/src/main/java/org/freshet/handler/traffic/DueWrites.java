package org.freshet.handler.traffic;

import java.util.concurrent.locks.ReentrantLock;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Alarm;
import org.freshet.internal.time.SpareThreads;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Sends writes that are due and announces whether the channel is writable. For each channel one thread at a time sends,
 * so writes stay in order. A channel with due writes is in a list until a thread takes care of it. If there is no
 * memory for that, the channel goes back into the list and the alarm retries.
 *
 * <p>Any thread may call it. The lock of {@link WriteShaper} guards the list; it is not held while anything is sent.
 */
final class DueWrites {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(DueWrites.class);
    private static final FailsafeLogMessage CANNOT_SEND =
            FailsafeLogMessage.warning(logger, "due writes cannot be sent");
    private static final FailsafeLogMessage WRITES_WAIT =
            FailsafeLogMessage.warning(logger, "due writes are delayed by another second");

    private final AbstractTrafficShapingHandler handler;
    private final ReentrantLock lock;
    private final Alarm alarm;

    /** Channels with due writes that no thread is about to send. */
    private ShapedChannel first;

    private ShapedChannel last;

    /** @param alarm calls {@link #sendAll} */
    DueWrites(AbstractTrafficShapingHandler handler, ReentrantLock lock, Alarm alarm) {
        this.handler = handler;
        this.lock = lock;
        this.alarm = alarm;
    }

    // ---- the list ----

    /** Called under the lock. */
    void add(ShapedChannel channel) {
        if (channel.isListed) {
            return;
        }
        channel.isListed = true;
        channel.nextListed = null;
        if (first == null) {
            first = channel;
        } else {
            last.nextListed = channel;
        }
        last = channel;
    }

    private void addAgain(ShapedChannel channel) {
        lock.lock();
        try {
            add(channel);
        } finally {
            lock.unlock();
        }
    }

    /** Returns null if the list is empty. */
    private ShapedChannel next() {
        lock.lock();
        try {
            ShapedChannel next = first;
            if (next != null) {
                first = next.nextListed;
                last = first == null ? null : last;
                next.nextListed = null; // a channel must not keep closed ones reachable
                next.isListed = false;
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    // ---- sending ----

    /**
     * Sends each channel of the list on a thread that it may block, except {@code own}, which the caller sends itself.
     */
    void sendAll(ShapedChannel own) {
        for (ShapedChannel next = next(); next != null; next = next()) {
            if (next != own && !sendOnOwnThread(next)) {
                addAgain(next);
                alarm.retry(); // there's no thread for it now, nor for those after it
                return;
            }
        }
    }

    /**
     * Where writes block, a slow peer must not block the timer or the writer of another channel. Returns false if no
     * thread can be started.
     */
    private boolean sendOnOwnThread(ShapedChannel channel) {
        try {
            if (SerialChannel.isWriteBlocking(channel.channel())) {
                return SpareThreads.offer(() -> sendDue(channel));
            }
            channel.ctx.getPipeline().execute(() -> sendDue(channel));
        } catch (Error e) {
            addAgain(channel);
            throw e;
        } catch (RuntimeException e) { // no thread is left to send it
            CANNOT_SEND.log(channel.channel(), e);
        }
        return true;
    }

    /** Not called under the lock. Throws no Error: whatever fails is retried when the alarm goes off. */
    void sendDue(ShapedChannel channel) {
        boolean isSender = false;
        try {
            ShapedWrite write;
            while ((write = takeDue(channel, isSender)) != null) {
                isSender = true;
                handler.passOn(write);
            }
            announceWritability(channel);
        } catch (Error e) {
            if (isSender) {
                channel.sending =
                        false; // without the lock, which may allocate; no other thread sends until it sees this
            }
            addAgain(channel);
            alarm.retry();
            WRITES_WAIT.log(channel.channel(), e);
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
     * Handlers notified of a change may write, and must then be notified immediately if the channel becomes unwritable.
     * So calls nest, and each checks again after it has fired, because other threads fire too.
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
            return !channel.isCongested;
        } finally {
            lock.unlock();
        }
    }
}
