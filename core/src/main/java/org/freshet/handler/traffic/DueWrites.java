package org.freshet.handler.traffic;

import java.util.concurrent.locks.ReentrantLock;
import org.freshet.internal.LastWords;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Alarm;
import org.freshet.internal.time.SpareThreads;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Sends the writes whose time has come, those of each channel by one thread at a time and so in order, and announces whether the channel is
 * writable. A channel with such writes is in a list until a thread takes care of it. If there is no memory for that, the channel goes back
 * into the list, and the alarm has it done.
 *
 * <p>Any thread may call. The lock of {@link WriteShaper} guards the list; it is not held while anything is sent.
 */
final class DueWrites {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(DueWrites.class);
    private static final LastWords CANNOT_SEND = LastWords.warning(logger, "writes that are due can't be sent");
    private static final LastWords WRITES_WAIT =
            LastWords.warning(logger, "writes that are due wait for another second");

    private final AbstractTrafficShapingHandler handler;
    private final ReentrantLock lock;
    private final Alarm alarm;

    /** Channels with due writes that no thread is about to send. */
    private ShapedChannel first;

    private ShapedChannel last;

    /** @param alarm has {@link #sendAll} called */
    DueWrites(AbstractTrafficShapingHandler handler, ReentrantLock lock, Alarm alarm) {
        this.handler = handler;
        this.lock = lock;
        this.alarm = alarm;
    }

    // ---- the list ----

    /** Under the lock. */
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

    /** Null if there is none. */
    private ShapedChannel next() {
        lock.lock();
        try {
            ShapedChannel next = first;
            if (next != null) {
                first = next.nextListed;
                last = first == null ? null : last;
                next.nextListed = null; // a channel must not keep others that are closed
                next.isListed = false;
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    // ---- sending ----

    /** Has each channel of the list sent by a thread that it may block, but for one that the caller sends itself. */
    void sendAll(ShapedChannel own) {
        for (ShapedChannel next = next(); next != null; next = next()) {
            if (next != own && !sendOnOwnThread(next)) {
                addAgain(next);
                alarm.retry(); // there's no thread for it now, and none for those behind it
                return;
            }
        }
    }

    /** Where writes block, a slow peer must block neither the timer nor the writer of another channel. False if no thread can be started. */
    private boolean sendOnOwnThread(ShapedChannel channel) {
        try {
            if (SerialChannel.isWriteBlocking(channel.channel())) {
                return SpareThreads.offer(() -> sendDue(channel));
            }
            channel.ctx.getPipeline().execute(() -> sendDue(channel));
        } catch (Error e) {
            addAgain(channel);
            throw e;
        } catch (RuntimeException e) { // no thread is left that could send it
            CANNOT_SEND.say(channel.channel(), e);
        }
        return true;
    }

    /** Not under the lock. Throws no Error: what it can't do is done when the alarm goes off. */
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
                        false; // without the lock, which may take memory; no other thread sends until it sees this
            }
            addAgain(channel);
            alarm.retry();
            WRITES_WAIT.say(channel.channel(), e);
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
}
