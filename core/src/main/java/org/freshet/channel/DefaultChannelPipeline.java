package org.freshet.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.freshet.internal.EventKind;
import org.freshet.internal.HoldsOutput;
import org.freshet.internal.SafeText;
import org.freshet.internal.SelectivePipeline;
import org.freshet.internal.lending.LendingPipeline;
import org.freshet.internal.race.RaceCheck;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * The pipeline returned by {@link Channels#pipeline()}.
 *
 * <p><b>Threading.</b> Events walk the list of contexts without a lock. Edits and look-ups hold this object's monitor only while they
 * follow or change links; no user code runs under it. An event that is on its way while the list changes passes every handler that stays,
 * exactly once. Whether it reaches a handler that is being added or removed depends on timing.
 */
@SuppressWarnings("exports") // interfaces for transports only
public class DefaultChannelPipeline extends OwningContextList
        implements ChannelPipeline, LendingPipeline, SelectivePipeline {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(DefaultChannelPipeline.class);

    /** Set for the few channels that a warning was logged for. */
    private static final ChannelLocal<Boolean> WARNED_OF_NO_HANDLER = new ChannelLocal<>();

    private volatile Channel channel;

    /** Null until attached. Written after {@link #channel}. */
    private volatile ChannelSink sink;

    /** Creates an empty pipeline that is not attached. */
    public DefaultChannelPipeline() {}

    // ---- the channel ----

    @Override
    public Channel getChannel() {
        return channel;
    }

    @Override
    public ChannelSink getSink() {
        ChannelSink attached = sink;
        return attached != null ? attached : UnattachedSink.INSTANCE;
    }

    @Override
    public boolean isAttached() {
        return sink != null;
    }

    @Override
    public void attach(Channel channel, ChannelSink sink) {
        Objects.requireNonNull(channel, "channel");
        Objects.requireNonNull(sink, "sink");
        synchronized (this) {
            if (this.sink != null) {
                throw new IllegalStateException("already attached to " + this.channel);
            }
            this.channel = channel;
            this.sink = sink;
        }
        try {
            acquireHandlers();
        } catch (ChannelPipelineException refusal) {
            releaseHandlers();
            this.sink = null;
            this.channel = null;
            throw refusal;
        }
    }

    @Override
    public ChannelFuture execute(Runnable task) {
        return getSink().execute(this, ChannelScopes.installed() == null ? task : scoped(task));
    }

    private Runnable scoped(Runnable task) {
        Objects.requireNonNull(task, "task");
        return () -> ChannelScopes.run(channel, task);
    }

    // ---- events ----

    @Override
    public void sendUpstream(ChannelEvent e) {
        if (ChannelScopes.installed() == null) {
            deliverUpstream(bottom(), e);
        } else {
            ChannelScopes.run(channel, () -> deliverUpstream(bottom(), e));
        }
    }

    @Override
    public void sendDownstream(ChannelEvent e) {
        deliverDownstream(top(), e);
    }

    /** Passes the event to the first upstream handler from {@code candidate} on. All upstream events go through here. */
    final void deliverUpstream(DefaultChannelHandlerContext candidate, ChannelEvent e) {
        Objects.requireNonNull(e, "e");
        DefaultChannelHandlerContext ctx = DefaultChannelHandlerContext.upstreamFrom(candidate);
        if (ctx == null) {
            reachedTop(e);
            return;
        }
        try {
            if (RaceCheck.IS_ON) {
                CheckedCalls.handleUpstream(ctx, e);
            } else {
                ctx.upstream.handleUpstream(ctx, e);
            }
        } catch (Throwable t) {
            handlerFailed(ctx, e, t);
        }
    }

    /**
     * Passes the event to the first downstream handler from {@code candidate} on, or to the sink. All downstream events go through here.
     */
    final void deliverDownstream(DefaultChannelHandlerContext candidate, ChannelEvent e) {
        Objects.requireNonNull(e, "e");
        if (e instanceof UpstreamMessageEvent) {
            throw new IllegalArgumentException("a received message cannot go downstream: " + e);
        }
        DefaultChannelHandlerContext ctx = DefaultChannelHandlerContext.downstreamFrom(candidate);
        try {
            if (ctx == null) {
                getSink().eventSunk(this, e);
            } else if (RaceCheck.IS_ON) {
                CheckedCalls.handleDownstream(ctx, e);
            } else {
                ctx.downstream.handleDownstream(ctx, e);
            }
        } catch (Throwable t) {
            if (ctx != null && isClose(e)) {
                closeDespite(ctx, e, t);
            } else {
                fail(e.getFuture(), t);
                handlerFailed(ctx, e, t);
            }
        }
    }

    private static boolean isClose(ChannelEvent e) {
        return e instanceof ChannelStateEvent request
                && request.getState() == ChannelState.OPEN
                && Boolean.FALSE.equals(request.getValue());
    }

    /** Passes a close request on past a handler that threw: otherwise the channel could never be closed. */
    private void closeDespite(DefaultChannelHandlerContext ctx, ChannelEvent close, Throwable t) {
        boolean firstClose = channel.isOpen(); // a handler may respond to the failure with another close
        ctx.sendDownstream(close);
        if (firstClose) {
            handlerFailed(ctx, close, t);
        }
    }

    /** The future may be null with a user's event type. */
    private static void fail(ChannelFuture future, Throwable t) {
        if (future != null) {
            future.setFailure(t);
        }
    }

    private void reachedTop(ChannelEvent e) {
        if (e instanceof ExceptionEvent failure) {
            Failures.unhandled(failure);
        } else if (DefaultChannelHandlerContext.upstreamFrom(bottom()) == null) {
            discard(e);
        }
    }

    /** Warns once per channel. After the channel has closed this is normal, because its handlers may have been removed. */
    private static void discard(ChannelEvent e) {
        if (e.getChannel().isOpen() && WARNED_OF_NO_HANDLER.setIfAbsent(e.getChannel(), Boolean.TRUE) == null) {
            logger.warn("pipeline has no upstream handler, this and further events are discarded: " + SafeText.of(e));
        }
    }

    /** {@code ctx} is null if the sink failed. */
    private void handlerFailed(DefaultChannelHandlerContext ctx, ChannelEvent e, Throwable t) {
        Failures.during(ctx, e, t, () -> notifyHandlerException(e, t));
    }

    /**
     * Called when a handler or the sink has thrown {@code t} while handling {@code e}. Reports it to the sink, which sends the failure up
     * the pipeline. If {@code e} is itself an exception event, the failure is only logged. Runs on the thread on which the handler failed.
     */
    protected void notifyHandlerException(ChannelEvent e, Throwable t) {
        if (e instanceof ExceptionEvent) {
            Failures.failedAgain((ExceptionEvent) e, t);
            return;
        }
        ChannelPipelineException report =
                t instanceof ChannelPipelineException own ? own : new ChannelPipelineException(SafeText.of(t), t);
        try {
            getSink().exceptionCaught(this, e, report);
        } catch (Throwable sinkFailure) {
            if (sinkFailure != t) {
                sinkFailure.addSuppressed(t);
            }
            logger.warn(
                    "the sink failed to report an exception thrown by a handler on: " + SafeText.of(e), sinkFailure);
        }
    }

    // ---- adding ----

    @Override
    public void addFirst(String name, ChannelHandler handler) {
        add(Place.FIRST, null, name, handler);
    }

    @Override
    public void addLast(String name, ChannelHandler handler) {
        add(Place.LAST, null, name, handler);
    }

    @Override
    public void addBefore(String baseName, String name, ChannelHandler handler) {
        add(Place.BEFORE, Objects.requireNonNull(baseName, "baseName"), name, handler);
    }

    @Override
    public void addAfter(String baseName, String name, ChannelHandler handler) {
        add(Place.AFTER, Objects.requireNonNull(baseName, "baseName"), name, handler);
    }

    private void add(Place place, String baseName, String name, ChannelHandler handler) {
        DefaultChannelHandlerContext ctx = newContext(name, handler);
        checkSharable(ctx, null);
        if (!LifeCycle.concerns(ctx)) {
            link(place, baseName, ctx);
            return;
        }
        synchronized (this) {
            checkFree(name, null);
            requireBase(place, baseName);
        }
        LifeCycle.beforeAdd(ctx);
        link(place, baseName, ctx);
        LifeCycle.afterAdd(ctx);
    }

    private DefaultChannelHandlerContext newContext(String name, ChannelHandler handler) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(handler, "handler");
        DefaultChannelHandlerContext ctx = new DefaultChannelHandlerContext(this, name, handler);
        if (ctx.upstream != null) {
            SeenEvents.by(ctx.upstream); // the first time, it runs the handler's class loader: not under the monitor
        }
        return ctx;
    }

    private synchronized void link(Place place, String baseName, DefaultChannelHandlerContext ctx) {
        DefaultChannelHandlerContext base = requireBase(place, baseName);
        checkFree(ctx.getName(), null);
        acquireHandler(ctx, null);
        insert(place, base, ctx);
    }

    // ---- removing ----

    @Override
    public void remove(ChannelHandler handler) {
        Objects.requireNonNull(handler, "handler");
        remove(holding(handler), handler.getClass().getName());
    }

    @Override
    public ChannelHandler remove(String name) {
        Objects.requireNonNull(name, "name");
        return remove(named(name), name).getHandler();
    }

    @Override
    public <T extends ChannelHandler> T remove(Class<T> handlerType) {
        Objects.requireNonNull(handlerType, "handlerType");
        return handlerType.cast(
                remove(ofType(handlerType), handlerType.getName()).getHandler());
    }

    @Override
    public ChannelHandler removeFirst() {
        return remove(ctx -> true, "the pipeline is empty").getHandler();
    }

    @Override
    public ChannelHandler removeLast() {
        return remove(ctx -> ctx == top(), "the pipeline is empty").getHandler();
    }

    private DefaultChannelHandlerContext remove(Predicate<DefaultChannelHandlerContext> wanted, String description) {
        DefaultChannelHandlerContext ctx = startRemoval(wanted, description);
        if (!LifeCycle.concerns(ctx)) {
            return ctx;
        }
        try {
            LifeCycle.beforeRemove(ctx);
        } catch (Throwable t) {
            endRemoving(ctx);
            throw t;
        }
        unlink(ctx);
        LifeCycle.afterRemove(ctx);
        return ctx;
    }

    /** Unlinks the handler immediately unless it is life-cycle aware. */
    private synchronized DefaultChannelHandlerContext startRemoval(
            Predicate<DefaultChannelHandlerContext> wanted, String description) {
        DefaultChannelHandlerContext ctx = requireNotRemoving(wanted, description);
        if (LifeCycle.concerns(ctx)) {
            beginRemoving(ctx);
        } else {
            unlink(ctx);
        }
        return ctx;
    }

    /** Undoes an addition, unless the handler has been removed in the meantime. */
    final void removeIfPresent(DefaultChannelHandlerContext ctx) {
        synchronized (this) {
            if (ctx.isRemoved() || isRemoving(ctx)) {
                return;
            }
        }
        remove(c -> c == ctx, ctx.getName());
    }

    private synchronized void unlink(DefaultChannelHandlerContext ctx) {
        remove(ctx);
        releaseHandler(ctx);
    }

    // ---- replacing ----

    @Override
    public void replace(ChannelHandler oldHandler, String newName, ChannelHandler newHandler) {
        Objects.requireNonNull(oldHandler, "oldHandler");
        replace(holding(oldHandler), oldHandler.getClass().getName(), newName, newHandler);
    }

    @Override
    public ChannelHandler replace(String oldName, String newName, ChannelHandler newHandler) {
        Objects.requireNonNull(oldName, "oldName");
        return replace(named(oldName), oldName, newName, newHandler).getHandler();
    }

    @Override
    public <T extends ChannelHandler> T replace(Class<T> oldHandlerType, String newName, ChannelHandler newHandler) {
        Objects.requireNonNull(oldHandlerType, "oldHandlerType");
        DefaultChannelHandlerContext old =
                replace(ofType(oldHandlerType), oldHandlerType.getName(), newName, newHandler);
        return oldHandlerType.cast(old.getHandler());
    }

    private DefaultChannelHandlerContext replace(
            Predicate<DefaultChannelHandlerContext> wanted, String description, String name, ChannelHandler handler) {
        DefaultChannelHandlerContext ctx = newContext(name, handler);
        DefaultChannelHandlerContext old;
        synchronized (this) {
            old = requireNotRemoving(wanted, description);
            checkFree(name, old);
            beginRemoving(old);
        }
        try {
            checkSharable(ctx, old);
            if (LifeCycle.concerns(old)) {
                LifeCycle.beforeRemove(old);
            }
            if (LifeCycle.concerns(ctx)) {
                LifeCycle.beforeAdd(ctx);
            }
            swap(old, ctx);
        } catch (Throwable t) {
            endRemoving(old);
            throw t;
        }
        afterReplace(old, ctx);
        return old;
    }

    private synchronized void swap(DefaultChannelHandlerContext old, DefaultChannelHandlerContext ctx) {
        checkFree(ctx.getName(), old);
        acquireHandler(ctx, old);
        exchange(old, ctx);
        releaseHandler(old);
    }

    private static void afterReplace(DefaultChannelHandlerContext old, DefaultChannelHandlerContext ctx) {
        ChannelHandlerLifeCycleException failure = null;
        try {
            if (LifeCycle.concerns(old)) {
                LifeCycle.afterRemove(old);
            }
        } catch (ChannelHandlerLifeCycleException e) {
            failure = e;
        }
        try {
            if (LifeCycle.concerns(ctx)) {
                LifeCycle.afterAdd(ctx);
            }
        } catch (ChannelHandlerLifeCycleException e) {
            if (failure == null) {
                throw e;
            }
            failure.addSuppressed(e);
        }
        if (failure != null) {
            throw failure;
        }
    }

    // ---- events that no handler sees ----

    @Override
    public final boolean mayBeSeen(EventKind kind) {
        return (seenEvents() & kind.bit()) != 0 || getClass() != DefaultChannelPipeline.class; // a subclass may see it
    }

    // ---- lending ----

    /** For transports, before they lend the memory of a read. */
    @Override
    public final ChannelHandlerContext borrower() {
        DefaultChannelHandlerContext ctx = DefaultChannelHandlerContext.upstreamFrom(bottom());
        while (ctx != null) {
            switch (MessageTreatment.of(ctx.upstream)) {
                case BORROWS -> {
                    return ctx;
                }
                case MAY_KEEP -> {
                    return null;
                }
                case PASSES_ON -> ctx = DefaultChannelHandlerContext.upstreamFrom(ctx.above);
            }
        }
        return null;
    }

    /** For transports, before they take a lent buffer. */
    @Override
    public final boolean isDownstreamFree() {
        return DefaultChannelHandlerContext.downstreamFrom(top()) == null;
    }

    // ---- looking up ----

    @Override
    public ChannelHandler getFirst() {
        return handlerOf(bottom());
    }

    @Override
    public ChannelHandler getLast() {
        return handlerOf(top());
    }

    @Override
    public ChannelHandler get(String name) {
        return handlerOf(find(named(name)));
    }

    @Override
    public <T extends ChannelHandler> T get(Class<T> handlerType) {
        Objects.requireNonNull(handlerType, "handlerType");
        return handlerType.cast(handlerOf(find(ofType(handlerType))));
    }

    @Override
    public ChannelHandlerContext getContext(String name) {
        Objects.requireNonNull(name, "name");
        return find(named(name));
    }

    @Override
    public ChannelHandlerContext getContext(ChannelHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return find(holding(handler));
    }

    @Override
    public ChannelHandlerContext getContext(Class<? extends ChannelHandler> handlerType) {
        Objects.requireNonNull(handlerType, "handlerType");
        return find(ofType(handlerType));
    }

    @Override
    public List<String> getNames() {
        return new ArrayList<>(toMap().keySet());
    }

    @Override
    public Map<String, ChannelHandler> toMap() {
        return handlersByName();
    }

    private static ChannelHandler handlerOf(DefaultChannelHandlerContext ctx) {
        return ctx == null ? null : ctx.getHandler();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(getClass().getSimpleName()).append('{');
        String separator = "";
        for (Map.Entry<String, ChannelHandler> entry : toMap().entrySet()) {
            text.append(separator).append('(').append(entry.getKey()).append(" = ");
            text.append(entry.getValue().getClass().getName()).append(')');
            separator = ", ";
        }
        return text.append('}').toString();
    }

    // ---- for the account --------------------------------------------------------------------------------------------

    /**
     * Returns the bytes of the channel's output held by handlers below a context, or by all handlers for null. Any thread may call this.
     */
    final long heldBelow(ChannelHandlerContext ctx) {
        DefaultChannelHandlerContext from = ctx instanceof DefaultChannelHandlerContext own ? own.below : top();
        long sum = 0;
        for (DefaultChannelHandlerContext next = DefaultChannelHandlerContext.downstreamFrom(from);
                next != null;
                next = DefaultChannelHandlerContext.downstreamFrom(next.below)) {
            if (next.downstream instanceof HoldsOutput holder) {
                sum += holder.heldBytes(channel);
            }
        }
        return sum;
    }
}
