package org.freshet.internal;

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
 * A handler's say in whether its channel is read. The channel is read while whoever is above the handler wants it
 * <em>and</em> the gate is not suspended; what those above ask for meanwhile is remembered. Gates of several handlers in
 * one pipeline work together: what one sends down is a wish to the next.
 *
 * <p>Any thread may call any method and none waits. Requests to the transport are made by one thread at a time, which
 * makes another as long as the state is not what it asked for last; so the last request always is the right one.
 */
public final class ReadGate {
    /** Those above want to read. */
    private static final int WANTED = 1;

    /** What the transport was asked for last. */
    private static final int ASKED = 1 << 1;

    /** A thread is making requests. */
    private static final int BUSY = 1 << 2;

    /** The bits from this one on count suspensions; negative for a moment where a resumption overtook its suspension. */
    private static final int ONE_SUSPENSION = 1 << 3;

    /** The oldest gate of each channel that has any: it knows the wish of those above, where the channel does not tell. */
    private static final ChannelLocal<ReadGate> OLDEST = new ChannelLocal<>();

    private final ChannelHandlerContext ctx;
    private final AtomicInteger state;

    private ReadGate(ChannelHandlerContext ctx, boolean wanted) {
        this.ctx = ctx;
        this.state = new AtomicInteger(wanted ? WANTED | ASKED : 0);
    }

    /**
     * A new gate that is open, at the handler's place. A handler has one for each place, made before or when the first
     * request to read or not to read comes by.
     */
    public static ReadGate at(ChannelHandlerContext ctx) {
        Channel channel = ctx.getChannel();
        ReadGate oldest = OLDEST.get(channel);
        boolean wanted = oldest == null ? channel.isReadable() : (oldest.state.get() & WANTED) != 0;
        ReadGate gate = new ReadGate(ctx, wanted);
        OLDEST.setIfAbsent(channel, gate);
        return gate;
    }

    /** Whether the event asks to read or not to read, and so is for {@link #request}. */
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
     * Takes a request from above. It goes on if the gate is open, else it is remembered and its future succeeds at once.
     */
    public void request(ChannelStateEvent e) {
        boolean read = (((Number) e.getValue()).intValue() & Channel.OP_READ) != 0;
        IntUnaryOperator wish = s -> {
            int next = with(s, WANTED, read);
            return isBusy(s) || isSuspended(s) ? claimed(next) : with(next, ASKED, read) | BUSY;
        };
        int before = state.getAndUpdate(wish);
        if (isBusy(before) || isSuspended(before)) {
            e.getFuture().setSuccess();
            askIfClaimed(before, wish.applyAsInt(before));
        } else {
            ctx.sendDownstream(e);
            askUntilRight();
        }
    }

    private void change(IntUnaryOperator change) {
        int before = state.getAndUpdate(s -> claimed(change.applyAsInt(s)));
        askIfClaimed(before, claimed(change.applyAsInt(before)));
    }

    private void askIfClaimed(int before, int after) {
        if (!isBusy(before) && isBusy(after)) {
            askUntilRight();
        }
    }

    /** For the one who has turned the state busy. */
    private void askUntilRight() {
        while (isBusy(state.updateAndGet(s -> isRight(s) ? s & ~BUSY : s))) {
            int asked = state.updateAndGet(s -> with(s, ASKED, isOpen(s)));
            ask((asked & ASKED) != 0);
        }
    }

    private void ask(boolean read) {
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
        return isOpen(s) == ((s & ASKED) != 0);
    }

    private static boolean isOpen(int s) {
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
        return "ReadGate(wanted: " + ((s & WANTED) != 0) + ", suspensions: " + (s >> 3) + ")";
    }
}
