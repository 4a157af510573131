package org.freshet.handler.ssl;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.util.Timer;

/**
 * The future of the handshake that was asked for last, and its time limit. For whoever has the handler's turn, but for what
 * says otherwise.
 */
final class HandshakeTerms {
    private final AtomicReference<ChannelFuture> last;
    private final Supplier<Channel> channel;
    private final Timer timer;
    private final long timeoutMillis;

    /** Of the handshake under way, or of the one that a client owes us; null if there is none. */
    private HandshakeDeadline deadline;

    /**
     * @param timer null for the JDK's
     * @param timeoutMillis 0 for no limit
     */
    HandshakeTerms(Supplier<Channel> channel, Timer timer, long timeoutMillis) {
        this.channel = channel;
        this.timer = timer;
        this.timeoutMillis = timeoutMillis;
        this.last = new AtomicReference<>(new EarlyFuture(channel));
    }

    /** Any thread. */
    ChannelFuture future() {
        return last.get();
    }

    /** Any thread. Makes a new future unless another thread has made one in place of {@code former}. */
    void renew(ChannelFuture former) {
        last.compareAndSet(former, new EarlyFuture(channel));
    }

    long timeoutMillis() {
        return timeoutMillis;
    }

    boolean hasLimit() {
        return timeoutMillis > 0;
    }

    /** Whether the time is running. */
    boolean isRunning() {
        return deadline != null;
    }

    /**
     * Lets the time run, unless it is running or there is no limit.
     *
     * @param expired runs on the timer's thread: must be short
     */
    void start(Runnable expired) {
        if (deadline == null && timeoutMillis > 0) {
            deadline = HandshakeDeadline.start(timer, timeoutMillis, expired);
        }
    }

    /** Any thread. Another time of the same length, for its caller alone; null if there is no limit. */
    HandshakeDeadline startAnother(Runnable expired) {
        return hasLimit() ? HandshakeDeadline.start(timer, timeoutMillis, expired) : null;
    }

    void stop() {
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }
}
