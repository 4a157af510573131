package org.freshet.handler.timeout;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.internal.transport.SerialChannel;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;

/**
 * Watches one place in one pipeline for inactivity. It is that place's attachment for as long as it watches: taking it
 * away, or putting another one there, ends the watch, whatever is still on its way.
 *
 * <p>One time-out is pending at a time, at the earliest moment at which one of the states could be reached. The timer's
 * thread only looks; if something seems due, the channel's I/O thread looks again and tells. So a message that the I/O
 * thread is just handling counts, and what is told always comes between two events of the channel.
 *
 * <p>Threading: {@code lastReadNanos} and {@code lastWriteNanos} are written by whoever carries the channel's events.
 * The {@code ...ToldNanos} belong to whoever holds the one turn: the pending time-out or what follows from it.
 */
final class IdleWatch implements TimerTask {
    /** Told on the channel's I/O thread. */
    interface Listener {
        void onIdle(ChannelHandlerContext ctx, IdleState state, long lastActivityTimeMillis) throws Exception;
    }

    /** What makes a channel idle: nanoseconds without activity, 0 if that state is of no interest. */
    record Limits(long readerNanos, long writerNanos, long allNanos) {
        boolean isNone() {
            return readerNanos == 0 && writerNanos == 0 && allNanos == 0;
        }
    }

    private final ChannelHandlerContext ctx;
    private final Timer timer;
    private final LongSupplier nanoClock;
    private final Limits limits;
    private final Listener listener;

    private volatile long lastReadNanos;
    private volatile long lastWriteNanos;

    /** When each state was last told, from where its time counts anew. */
    private long readerToldNanos;

    private long writerToldNanos;
    private long allToldNanos;

    private volatile Timeout timeout;

    private IdleWatch(
            ChannelHandlerContext ctx, Timer timer, LongSupplier nanoClock, Limits limits, Listener listener) {
        this.ctx = ctx;
        this.timer = timer;
        this.nanoClock = nanoClock;
        this.limits = limits;
        this.listener = listener;
    }

    /** Begins to watch, from now on, unless the place is watched already. */
    static void start(
            ChannelHandlerContext ctx, Timer timer, LongSupplier nanoClock, Limits limits, Listener listener) {
        if (limits.isNone() || of(ctx) != null) {
            return;
        }
        IdleWatch watch = new IdleWatch(ctx, timer, nanoClock, limits, listener);
        long now = nanoClock.getAsLong();
        watch.lastReadNanos = now;
        watch.lastWriteNanos = now;
        watch.readerToldNanos = now;
        watch.writerToldNanos = now;
        watch.allToldNanos = now;
        ctx.setAttachment(watch);
        watch.schedule(watch.nanosToNext(now));
    }

    static void stop(ChannelHandlerContext ctx) {
        IdleWatch watch = of(ctx);
        if (watch != null) {
            ctx.setAttachment(null);
            watch.cancel();
        }
    }

    static void onRead(ChannelHandlerContext ctx) {
        IdleWatch watch = of(ctx);
        if (watch != null) {
            watch.lastReadNanos = watch.nanoClock.getAsLong();
        }
    }

    static void onWritten(ChannelHandlerContext ctx) {
        IdleWatch watch = of(ctx);
        if (watch != null) {
            watch.lastWriteNanos = watch.nanoClock.getAsLong();
        }
    }

    private static IdleWatch of(ChannelHandlerContext ctx) {
        return ctx.getAttachment() instanceof IdleWatch watch ? watch : null;
    }

    private boolean isOver() {
        return of(ctx) != this || !ctx.getChannel().isOpen();
    }

    private void cancel() {
        Timeout pending = timeout;
        if (pending != null) {
            pending.cancel();
        }
    }

    private void schedule(long delayNanos) {
        timeout = timer.newTimeout(this, delayNanos, TimeUnit.NANOSECONDS);
        if (isOver()) {
            cancel(); // stop() may have come before there was this time-out to cancel
        }
    }

    @Override
    public void run(Timeout expired) {
        if (isOver()) {
            return;
        }
        long nanosToNext = nanosToNext(nanoClock.getAsLong());
        if (nanosToNext > 0) {
            goOn(nanosToNext);
        } else {
            SerialChannel.executeUrgently(ctx.getChannel(), this::tellAndGoOn);
        }
    }

    private void tellAndGoOn() {
        long now = nanoClock.getAsLong();
        tellIfDue(IdleState.READER_IDLE, now);
        tellIfDue(IdleState.WRITER_IDLE, now);
        tellIfDue(IdleState.ALL_IDLE, now);
        if (!isOver()) {
            goOn(Math.max(0, nanosToNext(nanoClock.getAsLong())));
        }
    }

    /** The watch ends if the timer takes no more, and the handlers hear of that. */
    private void goOn(long delayNanos) {
        try {
            schedule(delayNanos);
        } catch (RuntimeException timerRefused) {
            ctx.getPipeline().execute(() -> Channels.fireExceptionCaught(ctx, timerRefused));
        }
    }

    private void tellIfDue(IdleState state, long now) {
        if (isOver() || nanosTo(state, now) > 0) {
            return;
        }
        setTold(state, now);
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

    /** Never comes if the state is of no interest. */
    private long nanosTo(IdleState state, long now) {
        long limit = limit(state);
        return limit == 0 ? Long.MAX_VALUE : limit - (now - later(lastActivityNanos(state), told(state)));
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

    private long told(IdleState state) {
        return switch (state) {
            case READER_IDLE -> readerToldNanos;
            case WRITER_IDLE -> writerToldNanos;
            case ALL_IDLE -> allToldNanos;
        };
    }

    private void setTold(IdleState state, long now) {
        switch (state) {
            case READER_IDLE -> readerToldNanos = now;
            case WRITER_IDLE -> writerToldNanos = now;
            case ALL_IDLE -> allToldNanos = now;
        }
    }

    /** Compares by difference, as the clock may overflow. */
    private static long later(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos > 0 ? oneNanos : otherNanos;
    }
}
