package org.freshet.handler.timeout;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Alarm;
import org.freshet.util.Timer;

/**
 * Watches one handler context for inactivity. While it watches, it is the context's attachment: removing or replacing
 * the attachment ends the watch, even if an alarm is pending.
 *
 * <p>One alarm is set, for the earliest moment at which a state could be reached. The timer's thread only checks; if a
 * state seems due, the channel's I/O thread checks again and notifies. So a message being handled by the I/O thread
 * counts, and a notification always comes between two events of the channel.
 *
 * <p>Threading: {@code lastReadNanos} and {@code lastWriteNanos} are written by the thread that delivers the channel's
 * events. The {@code ...NotifiedNanos} belong to the pending time-out and to the notification that follows from it;
 * only one of them exists at a time.
 */
final class IdleWatch implements Runnable {
    /** Called on the channel's I/O thread. */
    interface Listener {
        void onIdle(ChannelHandlerContext ctx, IdleState state, long lastActivityTimeMillis) throws Exception;
    }

    /** How long without activity makes a channel idle, in nanoseconds; 0 turns that state off. */
    record Limits(long readerNanos, long writerNanos, long allNanos) {
        boolean isNone() {
            return readerNanos == 0 && writerNanos == 0 && allNanos == 0;
        }
    }

    private final ChannelHandlerContext ctx;
    private final Alarm alarm;
    private final Timer timer;
    private final Limits limits;
    private final Listener listener;

    private volatile long lastReadNanos;
    private volatile long lastWriteNanos;

    /** When each state was last notified, which restarts its time. */
    private long readerNotifiedNanos;

    private long writerNotifiedNanos;
    private long allNotifiedNanos;

    private IdleWatch(ChannelHandlerContext ctx, Timer timer, Limits limits, Listener listener) {
        this.ctx = ctx;
        alarm = new Alarm(timer, Runnable::run, this);
        this.timer = timer;
        this.limits = limits;
        this.listener = listener;
    }

    /** Starts watching, unless the context is already being watched. */
    static void start(ChannelHandlerContext ctx, Timer timer, Limits limits, Listener listener) {
        if (limits.isNone() || of(ctx) != null) {
            return;
        }
        IdleWatch watch = new IdleWatch(ctx, timer, limits, listener);
        long now = timer.nanoTime();
        watch.lastReadNanos = now;
        watch.lastWriteNanos = now;
        watch.readerNotifiedNanos = now;
        watch.writerNotifiedNanos = now;
        watch.allNotifiedNanos = now;
        ctx.setAttachment(watch);
        watch.schedule(watch.nanosToNext(now));
    }

    static void stop(ChannelHandlerContext ctx) {
        IdleWatch watch = of(ctx);
        if (watch != null) {
            ctx.setAttachment(null);
            watch.alarm.cancel();
        }
    }

    static void onRead(ChannelHandlerContext ctx) {
        IdleWatch watch = of(ctx);
        if (watch != null) {
            watch.lastReadNanos = watch.timer.nanoTime();
        }
    }

    static void onWritten(ChannelHandlerContext ctx) {
        IdleWatch watch = of(ctx);
        if (watch != null) {
            watch.lastWriteNanos = watch.timer.nanoTime();
        }
    }

    private static IdleWatch of(ChannelHandlerContext ctx) {
        return ctx.getAttachment() instanceof IdleWatch watch ? watch : null;
    }

    private boolean isOver() {
        return of(ctx) != this || !ctx.getChannel().isOpen();
    }

    private void schedule(long delayNanos) {
        alarm.set(delayNanos);
        if (isOver()) {
            alarm.cancel(); // stop() may have run in between
        }
    }

    /** Called when the alarm goes off. */
    @Override
    public void run() {
        if (isOver()) {
            return;
        }
        long nanosToNext = nanosToNext(timer.nanoTime());
        if (nanosToNext > 0) {
            reschedule(nanosToNext);
        } else {
            SerialChannel.executeUrgently(ctx.getChannel(), this::notifyAndReschedule);
        }
    }

    private void notifyAndReschedule() {
        try {
            notifyAllDue();
        } catch (Error e) { // such as an OutOfMemoryError: it must not let a peer escape its limit
            alarm.retry();
            throw e;
        }
    }

    private void notifyAllDue() {
        long now = timer.nanoTime();
        notifyIfDue(IdleState.READER_IDLE, now);
        notifyIfDue(IdleState.WRITER_IDLE, now);
        notifyIfDue(IdleState.ALL_IDLE, now);
        if (!isOver()) {
            reschedule(Math.max(0, nanosToNext(timer.nanoTime())));
        }
    }

    /** If the timer refuses, the watch ends and the handlers get the exception. */
    private void reschedule(long delayNanos) {
        try {
            schedule(delayNanos);
        } catch (RuntimeException timerRefused) {
            ctx.getPipeline().execute(() -> Channels.fireExceptionCaught(ctx, timerRefused));
        }
    }

    private void notifyIfDue(IdleState state, long now) {
        if (isOver() || nanosTo(state, now) > 0) {
            return;
        }
        setNotified(state, now);
        long idleMillis = TimeUnit.NANOSECONDS.toMillis(now - lastActivityNanos(state));
        try {
            listener.onIdle(ctx, state, System.currentTimeMillis() - idleMillis);
        } catch (Exception e) {
            Channels.fireExceptionCaught(ctx, e);
        }
    }

    private long nanosToNext(long now) {
        return Math.min(
                nanosTo(IdleState.READER_IDLE, now),
                Math.min(nanosTo(IdleState.WRITER_IDLE, now), nanosTo(IdleState.ALL_IDLE, now)));
    }

    /** Returns {@link Long#MAX_VALUE} if the state is turned off. */
    private long nanosTo(IdleState state, long now) {
        long limit = limit(state);
        return limit == 0 ? Long.MAX_VALUE : limit - (now - later(lastActivityNanos(state), lastNotified(state)));
    }

    private long limit(IdleState state) {
        return switch (state) {
            case READER_IDLE -> limits.readerNanos;
            case WRITER_IDLE -> limits.writerNanos;
            case ALL_IDLE -> limits.allNanos;
        };
    }

    private long lastActivityNanos(IdleState state) {
        return switch (state) {
            case READER_IDLE -> lastReadNanos;
            case WRITER_IDLE -> lastWriteNanos;
            case ALL_IDLE -> later(lastReadNanos, lastWriteNanos);
        };
    }

    private long lastNotified(IdleState state) {
        return switch (state) {
            case READER_IDLE -> readerNotifiedNanos;
            case WRITER_IDLE -> writerNotifiedNanos;
            case ALL_IDLE -> allNotifiedNanos;
        };
    }

    private void setNotified(IdleState state, long now) {
        switch (state) {
            case READER_IDLE -> readerNotifiedNanos = now;
            case WRITER_IDLE -> writerNotifiedNanos = now;
            case ALL_IDLE -> allNotifiedNanos = now;
        }
    }

    /** Compares by difference, because the clock may overflow. */
    private static long later(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos > 0 ? oneNanos : otherNanos;
    }
}
