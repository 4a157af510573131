package org.freshet.handler.execution;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelLocal;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.internal.HoldsOutput;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.QuietProbe;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.telemetry.Explainable;
import org.freshet.telemetry.Explanation;
import org.freshet.telemetry.QueueStats;
import org.freshet.util.ExternalResourceReleasable;

/**
 * Runs the handlers above it on an executor, so they may block, for example on a database. Without it they run on the
 * channel's I/O thread, and many other channels wait for them.
 *
 * <pre>{@code
 * ExecutionHandler executionHandler = new ExecutionHandler(
 *         new OrderedMemoryAwareThreadPoolExecutor(16, 1 << 20, 1 << 30)); // one for all channels
 *
 * pipeline.addLast("decoder", new MyDecoder());        // on the I/O thread
 * pipeline.addLast("executor", executionHandler);
 * pipeline.addLast("business", new MyBlockingHandler()); // on the executor
 * }</pre>
 *
 * <p>The executor determines order and memory use:
 *
 * <table>
 * <caption>Which executor to use</caption>
 * <tr><th></th><th>events of a channel run</th><th>memory</th></tr>
 * <tr><td>{@link OrderedMemoryAwareThreadPoolExecutor}</td><td>one at a time</td><td>limited</td></tr>
 * <tr><td>{@link KeyedExecutor}, on any executor, such as one with virtual threads</td><td>one at a time</td>
 *     <td>limited</td></tr>
 * <tr><td>{@link MemoryAwareThreadPoolExecutor}</td><td>in parallel, in any order</td><td>limited</td></tr>
 * <tr><td>any other, such as one with a virtual thread per task</td><td>in any order</td><td>not limited</td></tr>
 * </table>
 *
 * <p>To run the requests of one connection in parallel and still answer them in order, use {@link
 * PipelinedExecutionHandler}.
 *
 * <p>Executors that limit memory suspend reading of a channel, at the place of this handler. If handlers above call
 * {@code setReadable} in the meantime, the request is remembered and applies when the executor resumes reading. The
 * context's attachment holds that state and is reserved for this handler.
 *
 * <p>A write waiting for the executor counts in the channel's {@link org.freshet.channel.WriteAccount}. It fails if the
 * executor refuses it, or has not run it when the channel closes. With {@link org.freshet.channel.WriteOverflow#BLOCK},
 * a thread that runs events of the same executor is not blocked, because it may be the one that makes the space. As on
 * an I/O thread, the channel is closed instead.
 *
 * <p>If the executor refuses an event, because it was shut down or its queue is full, an exception event with the
 * {@link java.util.concurrent.RejectedExecutionException} is sent up. A refused exception event is sent up on the
 * thread that brought it, normally the I/O thread. So handlers always learn that the channel has lost events, and can
 * close it.
 */
@Sharable
@SuppressWarnings("exports") // HoldsOutput is exported to Freshet's modules only
@ActsOn({
    EventKind.OPEN,
    EventKind.BOUND,
    EventKind.CONNECTED,
    EventKind.INTEREST_CHANGED,
    EventKind.DISCONNECTED,
    EventKind.UNBOUND,
    EventKind.CLOSED
})
public class ExecutionHandler
        implements ChannelUpstreamHandler,
                ChannelDownstreamHandler,
                ExternalResourceReleasable,
                Explainable,
                HoldsOutput {
    /** Held only while a ready-made state is attached to a context. */
    private static final ReentrantLock ATTACHING = new ReentrantLock();

    private final ChannelLocal<MovedWrites> writes = new ChannelLocal<>();

    private final Executor executor;
    private final boolean handlesDownstream;
    private final boolean handlesUpstream;

    /** Moves upstream events to the executor. */
    public ExecutionHandler(Executor executor) {
        this(executor, false, true);
    }

    /**
     * Creates a handler for any number of channels.
     *
     * @param handleDownstream whether downstream events are moved to the executor
     * @param handleUpstream whether upstream events are moved to the executor
     * @throws IllegalArgumentException if both are false
     */
    public ExecutionHandler(Executor executor, boolean handleDownstream, boolean handleUpstream) {
        this.executor = Objects.requireNonNull(executor, "executor");
        if (!handleDownstream && !handleUpstream) {
            throw new IllegalArgumentException(
                    "handles neither direction: handleDownstream and handleUpstream are false");
        }
        this.handlesDownstream = handleDownstream;
        this.handlesUpstream = handleUpstream;
    }

    public Executor getExecutor() {
        return executor;
    }

    /**
     * Shuts the executor down, for all its users, if it is an {@link java.util.concurrent.ExecutorService} or an
     * {@link ExternalResourceReleasable}. Submitted tasks still run. This neither waits for them nor interrupts them,
     * so any thread may call it, including the executor's own.
     */
    @Override
    public void releaseExternalResources() {
        ExecutorRelease.release(executor);
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (handlesUpstream) {
            executeUpstream(ctx, e);
        } else {
            ctx.sendUpstream(e);
        }
    }

    /** A refused event becomes an exception event. That also passes here, and must not be refused in turn. */
    private void executeUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
        DrainEvent drain = QuietProbe.drainOf(e);
        if (drain != null) {
            executeHeld(ctx, e, drain);
            return;
        }
        try {
            executor.execute(new ChannelUpstreamEventRunnable(ctx, e, executor));
        } catch (Throwable refused) {
            if (!(e instanceof ExceptionEvent)) {
                throw refused;
            }
            ctx.sendUpstream(e);
        }
    }

    /** Keeps the channel open until the executor has run all earlier events. */
    private void executeHeld(ChannelHandlerContext ctx, ChannelEvent e, DrainEvent drain) {
        DrainEvent.Hold hold = drain.hold(ctx, "events waiting for the executor");
        try {
            executor.execute(new ChannelUpstreamEventRunnable(ctx, e, executor) {
                @Override
                protected void doRun() {
                    try {
                        super.doRun();
                    } finally {
                        hold.release();
                    }
                }
            });
        } catch (Throwable refused) {
            hold.release();
            ctx.sendUpstream(e);
        }
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (handleReadSuspend(ctx, e)) {
            return;
        }
        if (!handlesDownstream) {
            ctx.sendDownstream(e);
        } else if (e instanceof MessageEvent write) {
            moveWrite(ctx, write);
        } else {
            executor.execute(new ChannelDownstreamEventRunnable(ctx, e, executor));
        }
    }

    private void moveWrite(ChannelHandlerContext ctx, MessageEvent write) {
        MovedWrites moved = writesOf(ctx.getChannel());
        HeldWrite admitted = moved.admit(write, ChannelEventRunnable.PARENT.get() != executor);
        if (admitted != null) {
            moved.execute(ctx, admitted, executor);
        }
    }

    /** Returns the channel's writes held here. Any thread may call it. */
    final MovedWrites writesOf(Channel channel) {
        MovedWrites present = writes.get(channel);
        if (present != null) {
            return present;
        }
        MovedWrites made = new MovedWrites();
        MovedWrites first = writes.setIfAbsent(channel, made);
        if (first != null) {
            return first;
        }
        channel.getCloseFuture().addListener(closed -> made.failAll(channel));
        return made;
    }

    /** Not for users: the bytes waiting for the executor, or for their turn. */
    @Override
    public long heldBytes(Object channel) {
        MovedWrites moved = channel instanceof Channel known ? writes.get(known) : null;
        return moved == null ? 0 : moved.held.bytes();
    }

    /**
     * Takes requests to start or stop reading, because they must be combined with the executor's own suspension.
     *
     * @return whether the event was such a request and has been handled
     */
    protected boolean handleReadSuspend(ChannelHandlerContext ctx, ChannelEvent e) {
        if (!ReadSuspension.isReadRequest(e)) {
            return false;
        }
        readSuspension(ctx).request((ChannelStateEvent) e);
        return true;
    }

    /** Returns the suspension of reading at this place in the pipeline. Any thread may call it. */
    ReadSuspension readSuspension(ChannelHandlerContext ctx) {
        return attached(ctx, ReadSuspension.class, ReadSuspension::at);
    }

    /**
     * Returns the context's state, creating it if necessary. Any thread may call it. If several are created at the same
     * time, one is kept.
     */
    static <S> S attached(ChannelHandlerContext ctx, Class<S> type, Function<ChannelHandlerContext, S> maker) {
        Object state = ctx.getAttachment();
        if (type.isInstance(state)) {
            return type.cast(state);
        }
        S made = maker.apply(ctx);
        ATTACHING.lock();
        try {
            if (!type.isInstance(ctx.getAttachment())) {
                ctx.setAttachment(made);
            }
            return type.cast(ctx.getAttachment());
        } finally {
            ATTACHING.unlock();
        }
    }

    @Override
    public void explain(ChannelHandlerContext ctx, Explanation out) {
        out.put("executor", executor);
        if (executor instanceof QueueStats queue) {
            out.put("events of all channels waiting for it", queue.getWaiting());
        }
    }
}
