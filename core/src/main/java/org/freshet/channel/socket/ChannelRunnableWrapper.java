package org.freshet.channel.socket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.freshet.channel.Channel;
import org.freshet.channel.DefaultChannelFuture;

/**
 * A task for a channel's I/O thread, and its future: it succeeds when the task has run, or fails with the task's exception.
 *
 * <p>Any thread may call any method. Running and cancelling claim the task in one step: it either runs once or is cancelled.
 */
public class ChannelRunnableWrapper extends DefaultChannelFuture implements Runnable {
    private static final VarHandle CLAIMED;

    static {
        try {
            CLAIMED = MethodHandles.lookup().findVarHandle(ChannelRunnableWrapper.class, "claimed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Runnable task;

    /** Whether the task was started or cancelled; neither is possible after that. */
    private volatile boolean claimed;

    public ChannelRunnableWrapper(Channel channel, Runnable task) {
        super(channel, true);
        this.task = Objects.requireNonNull(task, "task");
    }

    /** Runs the task unless it was already started, cancelled, or abandoned by completing this future. */
    @Override
    public void run() {
        if (isDone() || !claim()) {
            return;
        }
        try {
            task.run();
        } catch (Throwable cause) {
            setFailure(cause);
            return;
        }
        setSuccess();
    }

    /** Cancels the task before it runs; returns false if it is too late. */
    @Override
    public boolean cancel() {
        return claim() && super.cancel();
    }

    private boolean claim() {
        return CLAIMED.compareAndSet(this, false, true);
    }
}
