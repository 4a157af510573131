package org.freshet.internal.handler;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelLocal;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamChannelStateEvent;

/**
 * Lets a handler suspend reading at its place in the pipeline. The channel is read while the handlers above want it
 * <em>and</em> nothing is suspended here; what those above ask for meanwhile is remembered. Suspensions of several handlers in
 * one pipeline combine: what one sends down is a request to the next.
 *
 * <p>Any thread may call any method, and none blocks. One thread at a time makes requests to the transport, and repeats until
 * the last request matches the state, so the last request is always the right one.
 */
public final class ReadSuspension {
    /** The handlers above want to read. */
    private static final int WANTED = 1;

    /** The last request to the transport was to read. */
    private static final int REQUESTED = 1 << 1;

    /** A thread is making requests to the transport. */
    private static final int BUSY = 1 << 2;

    /** The bits from this one on count suspensions; negative while a resumption has overtaken its suspension. */
    private static final int ONE_SUSPENSION = 1 << 3;

    /**
     * The first instance of each channel. It knows whether the handlers above want to read; the channel itself does not tell
     * while reading is suspended.
     */
    private static final ChannelLocal<ReadSuspension> OLDEST = new ChannelLocal<>();

    private final ChannelHandlerContext ctx;
    private final AtomicInteger state;

    private ReadSuspension(ChannelHandlerContext ctx, boolean wanted) {
        this.ctx = ctx;
        this.state = new AtomicInteger(wanted ? WANTED | REQUESTED : 0);
    }

    /**
     * Makes an instance that suspends nothing. A handler needs one for each context, at the latest for the first event that
     * {@link #isReadRequest} accepts.
     */
    public static ReadSuspension at(ChannelHandlerContext ctx) {
        Channel channel = ctx.getChannel();
        ReadSuspension oldest = OLDEST.get(channel);
        boolean wanted = oldest == null ? channel.isReadable() : (oldest.state.get() & WANTED) != 0;
        ReadSuspension made = new ReadSuspension(ctx, wanted);
        OLDEST.setIfAbsent(channel, made);
        return made;
    }

    /** Whether the event asks to read or not to read, and must be given to {@link #request}. */
    public static boolean isReadRequest(Object e) {
        return e instanceof ChannelStateEvent request && request.getState() == ChannelState.INTEREST_OPS;
    }

    /** Stops reading until as many calls of {@link #resume} have followed. */
    public void suspend() {
        change(s -> s + ONE_SUSPENSION);
    }

    public void resume() {
        change(s -> s - ONE_SUSPENSION);
    }

    /** Whether there are more suspensions than resumptions. */
    public boolean isSuspended() {
        return isSuspended(state.get());
    }

    /**
     * Takes a request from above. Sends it on unless reading is suspended; else remembers it and completes its future.
     */
    public void request(ChannelStateEvent e) {
        boolean read = (((Number) e.getValue()).intValue() & Channel.OP_READ) != 0;
        IntUnaryOperator change = s -> {
            int next = with(s, WANTED, read);
            return isBusy(s) || isSuspended(s) ? claimed(next) : with(next, REQUESTED, read) | BUSY;
        };
        int before = state.getAndUpdate(change);
        if (isBusy(before) || isSuspended(before)) {
            e.getFuture().setSuccess();
            requestIfClaimed(before, change.applyAsInt(before));
        } else {
            ctx.sendDownstream(e);
            requestUntilRight();
        }
    }

    private void change(IntUnaryOperator change) {
        int before = state.getAndUpdate(s -> claimed(change.applyAsInt(s)));
        requestIfClaimed(before, claimed(change.applyAsInt(before)));
    }

    private void requestIfClaimed(int before, int after) {
        if (!isBusy(before) && isBusy(after)) {
            requestUntilRight();
        }
    }

    /** For the thread that has set {@link #BUSY}. */
    private void requestUntilRight() {
        while (isBusy(state.updateAndGet(s -> isRight(s) ? s & ~BUSY : s))) {
            int requested = state.updateAndGet(s -> with(s, REQUESTED, isToRead(s)));
            request((requested & REQUESTED) != 0);
        }
    }

    private void request(boolean read) {
        Channel channel = ctx.getChannel();
        if (channel.isOpen()) {
            ChannelFuture future = Channels.future(channel);
            Integer ops = read ? Channel.OP_READ : Channel.OP_NONE;
            ctx.sendDownstream(new DownstreamChannelStateEvent(channel, future, ChannelState.INTEREST_OPS, ops));
        }
    }

    private static int claimed(int s) {
        return isBusy(s) || isRight(s) ? s : s | BUSY;
    }

    private static boolean isRight(int s) {
        return isToRead(s) == ((s & REQUESTED) != 0);
    }

    private static boolean isToRead(int s) {
        return (s & WANTED) != 0 && !isSuspended(s);
    }

    private static boolean isSuspended(int s) {
        return s >= ONE_SUSPENSION;
    }

    private static boolean isBusy(int s) {
        return (s & BUSY) != 0;
    }

    private static int with(int s, int bit, boolean set) {
        return set ? s | bit : s & ~bit;
    }

    @Override
    public String toString() {
        int s = state.get();
        return "ReadSuspension(wanted: " + ((s & WANTED) != 0) + ", count: " + (s >> 3) + ")";
    }
}
