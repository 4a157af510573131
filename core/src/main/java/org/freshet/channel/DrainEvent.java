package org.freshet.channel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks the handlers of a channel to finish their work because the channel is about to be closed: its server is being drained, or the
 * connection has become too old. It goes up the pipeline once per channel, on the I/O thread.
 *
 * <p>A handler with work in progress takes a {@link Hold} and releases it when the work is done; it may take more holds for work that
 * begins later. The channel stays open and readable while anything holds it and the drain's deadline has not passed. If a handler's
 * protocol can ask the peer to send no more, the handler does so and calls {@link #claim()}:
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
 *             ctx.getChannel().write("LAST ORDERS\n"); // the peer sends nothing after its current order
 *             event.claim();
 *             if (orders.isProcessing()) {
 *                 DrainEvent.Hold hold = event.hold(ctx, "order " + orders.number());
 *                 orders.whenDone(hold::release);
 *             }
 *         }
 *         super.handleUpstream(ctx, e); // also passes the event on
 *     }
 * }
 * }</pre>
 *
 * <p>When nothing holds the channel, everything written is sent, and then the channel is closed: immediately if a handler has claimed the
 * event, otherwise after a time in which nothing was read or sent. So even if a protocol's handlers don't know this event, no request is
 * lost that takes less than that time to answer. A handler that doesn't know the event passes it on, like any unknown event.
 *
 * <p>Any thread may call any method.
 *
 * @see org.freshet.bootstrap.Drain
 */
public final class DrainEvent extends UpstreamEvent {
    /** Keeps a channel that is being drained open. Any thread may release it. */
    public static final class Hold {
        private final DrainEvent event;
        private final String work;
        private final AtomicBoolean isReleased = new AtomicBoolean();

        private Hold(DrainEvent event, String work) {
            this.event = event;
            this.work = work;
        }

        /** Ends the hold. Write everything that belongs to the work first. Further calls have no effect. */
        public void release() {
            if (isReleased.compareAndSet(false, true)) {
                event.onReleased(this);
            }
        }

        /**
         * Ends the hold although the work isn't done and never will be, for example because the handler is removed. The drain no longer waits
         * for it, and its report counts the channel as lost.
         */
        public void abandon() {
            if (isReleased.compareAndSet(false, true)) {
                event.abandoned.add(this);
                event.onReleased(this);
            }
        }

        /** The handler and its work, as shown in the drain's report. */
        @Override
        public String toString() {
            return work;
        }
    }

    private final Runnable changed;
    private final Set<Hold> holds = ConcurrentHashMap.newKeySet();
    private final Queue<Hold> abandoned = new ConcurrentLinkedQueue<>();

    private volatile boolean isClaimed;
    private volatile boolean isComplete;
    private volatile boolean wasHeld;

    /**
     * Creates an event that is not part of a drain, for testing handlers.
     *
     * @param channel the channel to be closed
     * @param changed called when the last hold is released and when the event is claimed, on the thread that does so
     */
    public DrainEvent(Channel channel, Runnable changed) {
        super(channel);
        this.changed = Objects.requireNonNull(changed, "changed");
    }

    /**
     * Keeps the channel open until the hold is released. If the channel is already closing, the only effect is that the report counts the
     * channel as cut off.
     *
     * @param ctx the context of the holding handler
     * @param work what is in progress; it appears in the report, so don't include secrets
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

    /** Declares that handlers hold the channel for all current and future work, so it may be closed whenever nothing holds it. */
    public void claim() {
        isClaimed = true;
        changed.run();
    }

    public boolean isClaimed() {
        return isClaimed;
    }

    /**
     * Declares that every answer has been sent and that the peer knows the connection is ending. If the peer then closes it first, anything
     * still waiting to be sent, such as a goodbye, is not counted as lost. Without this call, a drain reports everything that was not sent.
     */
    public void complete() {
        isComplete = true;
    }

    public boolean isComplete() {
        return isComplete;
    }

    public boolean isHeld() {
        return !holds.isEmpty();
    }

    /** Whether there has ever been a hold. */
    public boolean wasHeld() {
        return wasHeld;
    }

    /** Returns what currently holds the channel: a copy, in no particular order. */
    public List<String> getHolds() {
        return textsOf(holds);
    }

    /** Returns the holds that were {@linkplain Hold#abandon() abandoned}: a copy, in the order in which that happened. */
    public List<String> getAbandoned() {
        return textsOf(abandoned);
    }

    private static List<String> textsOf(Collection<Hold> holds) {
        List<String> texts = new ArrayList<>();
        holds.forEach(hold -> texts.add(hold.toString()));
        return Collections.unmodifiableList(texts);
    }

    @Override
    public String toString() {
        return getChannel() + " DRAIN";
    }
}
