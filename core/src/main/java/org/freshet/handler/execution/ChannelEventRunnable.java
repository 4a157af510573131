package org.freshet.handler.execution;

import java.util.concurrent.Executor;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelScopes;
import org.freshet.util.EstimatableObjectWrapper;

/**
 * An event on its way to another thread: a task that, when run, sends the event on from the place in the pipeline where it
 * was taken. What an {@link ExecutionHandler} gives to its executor.
 */
public abstract class ChannelEventRunnable implements Runnable, EstimatableObjectWrapper {
    /** The executor on behalf of which the current thread sends an event on; unset on all other threads. */
    protected static final ThreadLocal<Executor> PARENT = new ThreadLocal<>();

    protected final ChannelHandlerContext ctx;

    protected final ChannelEvent e;

    private final Executor executor;

    /** What this counts for in an executor that limits memory; null and 0 while it does not count. Handed over with it. */
    private MemoryLimits.Account account;

    private int chargedBytes;

    /** When a {@link KeyedExecutor} accepted this. Handed over with it. */
    long acceptedNanos;

    /**
     * @param ctx from where the event is sent on
     * @param executor the one that is going to run this
     */
    protected ChannelEventRunnable(ChannelHandlerContext ctx, ChannelEvent e, Executor executor) {
        this.ctx = ctx;
        this.e = e;
        this.executor = executor;
    }

    public ChannelHandlerContext getContext() {
        return ctx;
    }

    public ChannelEvent getEvent() {
        return e;
    }

    /** The event. */
    @Override
    public Object unwrap() {
        return e;
    }

    @Override
    public final void run() {
        Executor outer = PARENT.get();
        PARENT.set(executor);
        try {
            ChannelScopes.run(ctx.getChannel(), this::doRun);
        } finally {
            if (outer == null) {
                PARENT.remove();
            } else {
                PARENT.set(outer);
            }
        }
    }

    /** Sends the event on; called once, by {@link #run()}. */
    protected abstract void doRun();

    void charge(MemoryLimits.Account account, int bytes) {
        this.account = account;
        this.chargedBytes = bytes;
    }

    /** Null if this does not count; the next call returns null in any case. */
    MemoryLimits.Account takeAccount() {
        MemoryLimits.Account taken = account;
        account = null;
        return taken;
    }

    int chargedBytes() {
        return chargedBytes;
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "(" + e + ")";
    }
}
