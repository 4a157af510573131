package org.freshet.handler.execution;

import java.util.concurrent.Executor;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelScopes;
import org.freshet.util.EstimatableObjectWrapper;

/**
 * A task that, when run, sends an event on from the place in the pipeline where it was taken. An
 * {@link ExecutionHandler} submits these to its executor.
 */
public abstract class ChannelEventRunnable implements Runnable, EstimatableObjectWrapper {
    /** The executor for which the current thread is sending an event on; unset on all other threads. */
    protected static final ThreadLocal<Executor> PARENT = new ThreadLocal<>();

    protected final ChannelHandlerContext ctx;

    protected final ChannelEvent e;

    private final Executor executor;

    /**
     * The account this event is charged to in an executor that limits memory; null while it is not charged. Handed over
     * with the task, like {@code chargedBytes}.
     */
    private MemoryLimits.Account account;

    private int chargedBytes;

    /** When a {@link KeyedExecutor} accepted this. Handed over with the task. */
    long acceptedNanos;

    /**
     * @param ctx the place from which the event is sent on
     * @param executor the executor that will run this
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

    /** Returns the event. */
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

    /** Sends the event on. Called once, by {@link #run()}. */
    protected abstract void doRun();

    void charge(MemoryLimits.Account account, int bytes) {
        this.account = account;
        this.chargedBytes = bytes;
    }

    /** Returns the account and clears it, so the next call returns null. Null if the event is not charged. */
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
