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
import org.freshet.internal.IoThreadBound;

/**
 * Lets a handler suspend reading at its place in the pipeline. The channel is read while the handlers above want it <em>and</em> nothing is
 * suspended here; requests from above during a suspension are remembered. Suspensions of several handlers in one pipeline combine: a
 * request sent down by one is a request to the next.
 *
 * <p>Any thread may call any method; none of them blocks. The transport is called on the channel's I/O thread only, because requests made
 * on several threads could take effect in the wrong order: directly if that is the calling thread, so that not even the next read takes
 * place, and otherwise with a task.
 */
public final class ReadSuspension {
    /** The handlers above want to read. */
    private static final int WANTED = 1;

    /** The last request to the transport was to read. */
    private static final int REQUESTED = 1 << 1;

    /** A thread is making requests to the transport. */
    private static final int BUSY = 1 << 2;

    /** The bits from this one on count suspensions; negative if a resumption has overtaken its suspension. */
    private static final int ONE_SUSPENSION = 1 << 3;

    /**
     * The first instance of each channel. It knows whether the handlers above want to read; the channel itself does not know while reading
     * is suspended.
     */
    private static final ChannelLocal<ReadSuspension> OLDEST = new ChannelLocal<>();

    /** Created in advance, because they are used when memory is exhausted. */
    private static final IntUnaryOperator NOT_REQUESTED_TO_READ = s -> s & ~BUSY & ~REQUESTED;

    private static final IntUnaryOperator NOT_REQUESTED_TO_STOP = s -> s & ~BUSY | REQUESTED;

    private final ChannelHandlerContext ctx;
    private final AtomicInteger state;

    private ReadSuspension(ChannelHandlerContext ctx, boolean wanted) {
        this.ctx = ctx;
        this.state = new AtomicInteger(wanted ? WANTED | REQUESTED : 0);
    }

    /**
     * Creates an instance that suspends nothing. A handler needs one per context, at the latest when {@link #isReadRequest} returns true
     * for the first time.
     */
    public static ReadSuspension at(ChannelHandlerContext ctx) {
        Channel channel = ctx.getChannel();
        ReadSuspension made = new ReadSuspension(ctx, isWanted(channel));
        OLDEST.setIfAbsent(channel, made);
        return made;
    }

    /** Whether the handlers above the first suspension want to read; without one, whether the channel does. */
    static boolean isWanted(Channel channel) {
        ReadSuspension oldest = OLDEST.get(channel);
        return oldest == null ? channel.isReadable() : (oldest.state.get() & WANTED) != 0;
    }

    /** Whether the event suspends or resumes reading, and must be passed to {@link #request}. */
    public static boolean isReadRequest(Object e) {
        return e instanceof ChannelStateEvent request && request.getState() == ChannelState.INTEREST_OPS;
    }

    /** Stops reading until {@link #resume} has been called as many times. */
    public void suspend() {
        change(s -> s + ONE_SUSPENSION);
    }

    public void resume() {
        change(s -> s - ONE_SUSPENSION);
    }

    /** Repeats a request to the transport that failed for lack of memory. */
    public void update() {
        change(s -> s);
    }

    /** Whether there are more suspensions than resumptions. */
    public boolean isSuspended() {
        return isSuspended(state.get());
    }

    /** Handles a request from above: sends it on or, if reading is suspended, remembers it and completes its future. */
    public void request(ChannelStateEvent e) {
        boolean read = (((Number) e.getValue()).intValue() & Channel.OP_READ) != 0;
        if (mayRequestHere()) {
            requestHere(e, read);
            return;
        }
        ChannelFuture future = e.getFuture();
        if (isRight(state.updateAndGet(s -> with(s, WANTED, read)))) {
            future.setSuccess();
        } else {
            requestOnIoThread().addListener(done -> pass(done, future));
        }
    }

    private void requestHere(ChannelStateEvent e, boolean read) {
        IntUnaryOperator change = s -> {
            int next = with(s, WANTED, read);
            return isBusy(s) || isSuspended(s) ? claimed(next) : with(next, REQUESTED, read) | BUSY;
        };
        int before = state.getAndUpdate(change);
        boolean isClaimed = !isBusy(before) && isBusy(change.applyAsInt(before));
        if (isBusy(before) || isSuspended(before)) {
            e.getFuture().setSuccess();
        } else {
            sendWhileBusy(e);
        }
        if (isClaimed) {
            requestUntilRight();
        }
    }

    private static void pass(ChannelFuture outcome, ChannelFuture future) {
        if (outcome.isSuccess()) {
            future.setSuccess();
        } else {
            future.setFailure(outcome.getCause());
        }
    }

    private void change(IntUnaryOperator change) {
        if (isRight(state.updateAndGet(change))) {
            return;
        }
        if (mayRequestHere()) {
            claimAndRequest();
        } else {
            requestOnIoThread();
        }
    }

    /** Whether the calling thread is the one that makes requests to the transport; true if any thread may. */
    private boolean mayRequestHere() {
        return !(ctx.getChannel() instanceof IoThreadBound channel) || channel.inIoThread();
    }

    private ChannelFuture requestOnIoThread() {
        return ctx.getPipeline().execute(this::claimAndRequest);
    }

    /** If another thread, or an outer call on this one, is already making requests, this one is left to it. */
    private void claimAndRequest() {
        int before = state.getAndUpdate(ReadSuspension::claimed);
        if (!isBusy(before) && isBusy(claimed(before))) {
            requestUntilRight();
        }
    }

    /** Called by the thread that has set {@link #BUSY}. */
    private void requestUntilRight() {
        while (isBusy(state.updateAndGet(s -> isRight(s) ? s & ~BUSY : s))) {
            int requested = state.updateAndGet(s -> with(s, REQUESTED, isToRead(s)));
            request((requested & REQUESTED) != 0);
        }
    }

    private void request(boolean read) {
        Channel channel = ctx.getChannel();
        if (channel.isOpen()) {
            sendWhileBusy(newRequest(channel, read));
        }
    }

    private ChannelStateEvent newRequest(Channel channel, boolean read) {
        try {
            Integer ops = read ? Channel.OP_READ : Channel.OP_NONE;
            return new DownstreamChannelStateEvent(channel, Channels.future(channel), ChannelState.INTEREST_OPS, ops);
        } catch (Error withoutMemory) { // the next change requests it again
            state.updateAndGet(read ? NOT_REQUESTED_TO_READ : NOT_REQUESTED_TO_STOP);
            throw withoutMemory;
        }
    }

    private void sendWhileBusy(ChannelStateEvent e) {
        try {
            ctx.sendDownstream(e);
        } catch (Throwable failure) {
            state.updateAndGet(s -> s & ~BUSY);
            throw failure;
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
