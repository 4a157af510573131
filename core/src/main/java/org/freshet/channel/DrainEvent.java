package org.freshet.channel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks the handlers of a channel to finish their work, because the channel is about to be closed: its server is being drained, or
 * the connection has become too old. It goes up the pipeline once a channel, on the I/O thread.
 *
 * <p>A handler with work in progress takes a {@link Hold} and releases it when the work is done; it may take further ones for work
 * that begins later. The channel stays open, and is read, while anything holds it and the deadline of the drain has not passed.
 * A handler whose protocol can tell the peer to send no more does so, and calls {@link #claim()}:
 *
 * <pre>{@code
 * class OrderHandler extends SimpleChannelUpstreamHandler {
 *     private final Orders orders;
 *     private DrainEvent drain; // null until the channel is drained
 *
 *     OrderHandler(Orders orders) {
 *         this.orders = orders;
 *     }
 *
 *     @Override
 *     public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
 *         if (e instanceof DrainEvent event) {
 *             drain = event;
 *             ctx.getChannel().write("LAST ORDERS\n"); // the peer sends nothing after its present order
 *             event.claim();
 *             if (orders.isProcessing()) {
 *                 DrainEvent.Hold hold = event.hold(ctx, "order " + orders.number());
 *                 orders.whenDone(hold::release);
 *             }
 *         }
 *         super.handleUpstream(ctx, e); // passes the event on, too
 *     }
 * }
 * }</pre>
 *
 * <p>When nothing holds the channel, what was written is sent, and then the channel is closed: at once if a handler has claimed
 * the event, otherwise after a time in which nothing was read and nothing was sent. So a protocol whose handlers do not know this
 * event loses no request that takes less than that time to answer. A handler that does not know the event passes it on, as it does
 * with every event that it does not know.
 *
 * <p>Any thread may call any method.
 *
 * @see org.freshet.bootstrap.Drain
 */
public final class DrainEvent extends UpstreamEvent {
    /** Keeps a channel open that is being drained. Any thread may release it. */
    public static final class Hold {
        private final DrainEvent event;
        private final String work;
        private final AtomicBoolean isReleased = new AtomicBoolean();

        private Hold(DrainEvent event, String work) {
            this.event = event;
            this.work = work;
        }

        /** Ends the hold, after what belongs to the work was written. The second call and those after it do nothing. */
        public void release() {
            if (isReleased.compareAndSet(false, true)) {
                event.onReleased(this);
            }
        }

        /** The handler and its work, as the drain's report shows them. */
        @Override
        public String toString() {
            return work;
        }
    }

    private final Runnable changed;
    private final Set<Hold> holds = ConcurrentHashMap.newKeySet();

    private volatile boolean isClaimed;
    private volatile boolean isConcluded;
    private volatile boolean wasHeld;

    /**
     * Makes an event without a drain behind it; for tests of handlers.
     *
     * @param channel the channel to be closed
     * @param changed called when the last hold was released, and when the event is claimed; by the thread that does so
     */
    public DrainEvent(Channel channel, Runnable changed) {
        super(channel);
        this.changed = Objects.requireNonNull(changed, "changed");
    }

    /**
     * Keeps the channel open until the hold is released. Once the channel is being closed this has no effect, except that the
     * report counts the channel as one that was cut off.
     *
     * @param ctx the handler that holds
     * @param work what is in progress; for the report, so without secrets
     */
    public Hold hold(ChannelHandlerContext ctx, String work) {
        String type = ctx.getHandler().getClass().getSimpleName();
        Hold hold = new Hold(this, ctx.getName() + " (" + type + "): " + Objects.requireNonNull(work, "work"));
        wasHeld = true;
        holds.add(hold);
        return hold;
    }

    private void onReleased(Hold hold) {
        holds.remove(hold);
        if (holds.isEmpty()) {
            changed.run();
        }
    }

    /**
     * Declares that handlers hold the channel for all the work there is or will be, so that it may be closed whenever nothing holds
     * it.
     */
    public void claim() {
        isClaimed = true;
        changed.run();
    }

    public boolean isClaimed() {
        return isClaimed;
    }

    /**
     * Declares that every answer has been sent and the peer knows that the connection ends: if the peer closes it first, what still waits to be
     * sent, such as a goodbye, is no loss. Without this call a drain reports whatever was not sent.
     */
    public void conclude() {
        isConcluded = true;
    }

    public boolean isConcluded() {
        return isConcluded;
    }

    public boolean isHeld() {
        return !holds.isEmpty();
    }

    /** Whether there has ever been a hold. */
    public boolean wasHeld() {
        return wasHeld;
    }

    /** What holds the channel now: a copy, in no particular order. */
    public List<String> getHolds() {
        List<String> texts = new ArrayList<>();
        holds.forEach(hold -> texts.add(hold.toString()));
        return Collections.unmodifiableList(texts);
    }

    @Override
    public String toString() {
        return getChannel() + " DRAIN";
    }
}
