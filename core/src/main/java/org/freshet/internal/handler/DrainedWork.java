package org.freshet.internal.handler;

import java.util.function.BooleanSupplier;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.DrainEvent;

/**
 * Holds a channel that is being drained while a handler has work, for handlers whose work begins and ends many times.
 *
 * <p>Any thread may call any method; see {@link CoalescedTask}.
 */
public final class DrainedWork {
    private final ChannelHandlerContext ctx;
    private final DrainEvent drain;
    private final String work;
    private final BooleanSupplier isBusy;
    private volatile boolean isAbandoned;
    private final CoalescedTask updating = new CoalescedTask(this::takeOrRelease);

    /** Accessed only within {@link #updating}. Null while there is no work. */
    private DrainEvent.Hold hold;

    /**
     * @param work as shown in the drain's report
     * @param isBusy whether there is currently work; called by any thread that calls {@link #update}
     */
    public DrainedWork(ChannelHandlerContext ctx, DrainEvent drain, String work, BooleanSupplier isBusy) {
        this.ctx = ctx;
        this.drain = drain;
        this.work = work;
        this.isBusy = isBusy;
    }

    /** Holds the channel while there is work, and releases it otherwise. Call it after each change. */
    public void update() {
        updating.request();
    }

    /** The current work will never be done, and no other follows: the drain doesn't wait for it, and reports the channel as lost. */
    public void abandon() {
        isAbandoned = true;
        updating.request();
    }

    /** Abandons the current work. Returns what holds the channel for work that may still follow: the handler could be added again. */
    public DrainedWork abandonCurrent() {
        abandon();
        return new DrainedWork(ctx, drain, work, isBusy);
    }

    private void takeOrRelease() {
        if (isAbandoned) {
            abandonHold();
            return;
        }
        boolean busy = isBusy.getAsBoolean();
        if (busy && hold == null) {
            hold = drain.hold(ctx, work);
        } else if (!busy && hold != null) {
            DrainEvent.Hold ended = hold;
            hold = null;
            ended.release();
        }
    }

    private void abandonHold() {
        if (hold != null) {
            hold.abandon(); // has no effect the second time
        }
    }
}
