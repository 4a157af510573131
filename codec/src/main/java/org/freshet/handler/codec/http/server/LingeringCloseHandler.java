package org.freshet.handler.codec.http.server;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.handler.LingeringEnd;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Durations;
import org.freshet.util.Timer;

/**
 * Closes a connection in stages, so that a peer that is still sending can read the last response. On a request to
 * close, it sends everything written before and ends the output. Then it reads and drops all input, and closes the
 * channel when the peer ends its output or time is up. A plain close with unread bytes would reset the connection, and
 * the peer might lose the response.
 *
 * <p>After the output has ended, at most {@code maxDiscardedBytes} are read. Beyond that, reading stops: the peer is
 * held up by its own unsent bytes, and has the rest of the time to read the response. The time starts when the output
 * has ended. Before that, it restarts whenever bytes have been sent.
 *
 * <p>{@code disconnect} and {@code unbind} close right away. Writes after a request to close fail with
 * {@link ClosedChannelException}; the close future completes when the connection is closed.
 *
 * <p>Put it before the handlers that close, and after TLS. Use one instance per pipeline. Any thread may close.
 */
@ActsOn(EventKind.WRITTEN)
public final class LingeringCloseHandler extends SimpleChannelHandler {
    public static final long DEFAULT_MAX_DISCARDED_BYTES = LingeringEnd.DEFAULT_MAX_DROPPED_BYTES;
    public static final Duration DEFAULT_LINGER = Duration.ofSeconds(2);

    private enum State {
        OPEN,
        /** Everything written is being sent; then the output ends. */
        SENDING,
        /** The output has ended. */
        DISCARDING,
        /** The transport was asked to close. */
        CLOSING
    }

    private final Timer timer;
    private final LingeringEnd end;
    private final long lingerNanos;
    private final LongSupplier nanoClock;

    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    /** Written on the I/O thread, except for the first time. */
    private volatile long deadlineNanos;

    private volatile Deadline deadline;

    /**
     * Uses 256 KiB and 2 seconds.
     *
     * @param timer never stopped by this handler; null for Freshet's own
     */
    public LingeringCloseHandler(Timer timer) {
        this(timer, DEFAULT_MAX_DISCARDED_BYTES, DEFAULT_LINGER);
    }

    /**
     * Creates a handler for one connection.
     *
     * @param timer never stopped by this handler; null for Freshet's own
     * @param maxDiscardedBytes the number of bytes read after a request to close; 0 or more
     * @param linger how long the peer may take; more than 0
     */
    public LingeringCloseHandler(Timer timer, long maxDiscardedBytes, Duration linger) {
        this(
                timer,
                requireBytes(maxDiscardedBytes),
                Durations.positive("linger", linger).toNanos(),
                timer == null ? System::nanoTime : timer::nanoTime);
    }

    LingeringCloseHandler(Timer timer, long maxDiscardedBytes, long lingerNanos, LongSupplier nanoClock) {
        this.timer = timer;
        end = new LingeringEnd(maxDiscardedBytes);
        this.lingerNanos = lingerNanos;
        this.nanoClock = nanoClock;
    }

    static long requireBytes(long maxDiscardedBytes) {
        if (maxDiscardedBytes < 0) {
            throw new IllegalArgumentException("maxDiscardedBytes < 0: " + maxDiscardedBytes);
        }
        return maxDiscardedBytes;
    }

    // ---- requests ----

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        State now = state.get();
        if (now == State.CLOSING || now == State.OPEN && (e instanceof MessageEvent || !isClose(e))) {
            ctx.sendDownstream(e);
        } else if (e instanceof MessageEvent write) {
            UnsentMessage.fail(write, UnsentMessage.causeOfClosed(e.getChannel()));
        } else if (isClose(e)) {
            onCloseRequested(ctx, (ChannelStateEvent) e);
        } else if (isReadRequest(e)) {
            e.getFuture().setSuccess(); // this handler now decides whether to read
        } else {
            ctx.sendDownstream(e);
        }
    }

    private static boolean isClose(ChannelEvent e) {
        return e instanceof ChannelStateEvent request
                && request.getState() == ChannelState.OPEN
                && !Boolean.TRUE.equals(request.getValue());
    }

    private static boolean isReadRequest(ChannelEvent e) {
        return e instanceof ChannelStateEvent request && request.getState() == ChannelState.INTEREST_OPS;
    }

    private void onCloseRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
        Channel channel = ctx.getChannel();
        if (!channel.isConnected()) {
            ctx.sendDownstream(e);
            return;
        }
        ChannelFuture future = e.getFuture();
        if (future != channel.getCloseFuture()) {
            channel.getCloseFuture().addListener(closed -> future.setSuccess());
        }
        if (state.compareAndSet(State.OPEN, State.SENDING)) {
            endOutput(ctx);
        }
    }

    private void endOutput(ChannelHandlerContext ctx) {
        restartTime();
        schedule(ctx, lingerNanos);
        end.begin(ctx, done -> onOutputEnded(ctx, done));
    }

    private void onOutputEnded(ChannelHandlerContext ctx, ChannelFuture end) {
        restartTime();
        if (!end.isSuccess()) {
            closeNow(ctx);
        } else {
            state.compareAndSet(State.SENDING, State.DISCARDING);
        }
    }

    private void closeNow(ChannelHandlerContext ctx) {
        if (state.getAndSet(State.CLOSING) != State.CLOSING) {
            Channels.close(ctx, ctx.getChannel().getCloseFuture());
        }
    }

    // ---- time ----

    private void restartTime() {
        deadlineNanos = nanoClock.getAsLong() + lingerNanos;
    }

    private void schedule(ChannelHandlerContext ctx, long nanos) {
        Runnable check = () -> check(ctx);
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
        deadline = new Deadline(timer, millis, () -> SerialChannel.executeUrgently(ctx.getChannel(), check));
        deadline.start();
    }

    /** I/O thread only. */
    private void check(ChannelHandlerContext ctx) {
        if (!ctx.getChannel().isOpen() || state.get() == State.CLOSING) {
            return;
        }
        long left = deadlineNanos - nanoClock.getAsLong();
        if (left <= 0) {
            closeNow(ctx);
        } else {
            schedule(ctx, left);
        }
    }

    // ---- events ----

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (state.get() == State.OPEN) {
            ctx.sendUpstream(e);
        } else if (e instanceof MessageEvent message) {
            end.drop(ctx, message.getMessage());
        } else if (e instanceof InputShutdownEvent) {
            closeNow(ctx);
        } else if (!isLossOfPeer(e)) {
            onOther(ctx, e);
        }
    }

    private void onOther(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof WriteCompletionEvent && state.get() == State.SENDING) {
            restartTime();
        }
        super.handleUpstream(ctx, e);
    }

    /** A peer that stops sending may reset the connection; the transport then closes the channel. */
    private static boolean isLossOfPeer(ChannelEvent e) {
        return e instanceof ExceptionEvent failure && failure.getCause() instanceof IOException;
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        Deadline pending = deadline;
        if (pending != null) {
            pending.cancel();
        }
        ctx.sendUpstream(e);
    }
}
