package org.freshet.channel;

/**
 * The links of a pipeline together with the seats of its exclusive handlers: each of these sits in one pipeline at a time.
 *
 * <p><b>Threading.</b> As {@link ContextChain}, and {@link Seats} may be asked by any thread.
 */
abstract class SeatedChain extends ContextChain {
    /** Handlers take their seats with the channel, not before. */
    abstract boolean isAttached();

    /** Deals with a handler that sits elsewhere, without any lock: this may be a matter for the log. */
    final void checkSharable(DefaultChannelHandlerContext ctx, DefaultChannelHandlerContext toBeReplaced) {
        ChannelHandler handler = ctx.getHandler();
        if (!Sharability.isExclusive(handler)) {
            return;
        }
        DefaultChannelHandlerContext taken = placeOf(handler);
        if (taken == null) {
            taken = Seats.occupiedBy(ctx);
        }
        if (taken != null && taken != toBeReplaced) {
            Sharability.onSecondPlace(ctx, taken);
        }
    }

    /** The handler's place in this pipeline, or null. As {@code find}, without the monitor: runs for each new connection. */
    private DefaultChannelHandlerContext placeOf(ChannelHandler handler) {
        DefaultChannelHandlerContext ctx = bottom();
        while (ctx != null && ctx.getHandler() != handler) {
            ctx = ctx.nextAbove();
        }
        return ctx;
    }

    /** The last word: somebody may have been faster since {@link #checkSharable}. Under the monitor. */
    final void takeSeat(DefaultChannelHandlerContext ctx, DefaultChannelHandlerContext toBeReplaced) {
        if (!isAttached() || !Sharability.isExclusive(ctx.getHandler())) {
            return;
        }
        DefaultChannelHandlerContext taken = Seats.take(ctx, toBeReplaced);
        if (taken != null && Sharability.MODE == Sharability.ENFORCE) {
            Sharability.onSecondPlace(ctx, taken);
        }
    }

    static void leaveSeat(DefaultChannelHandlerContext ctx) {
        if (Sharability.isExclusive(ctx.getHandler())) {
            Seats.leave(ctx);
        }
    }

    /** The pipeline has a channel now: the handlers that came before take their seats. */
    final void seatHandlers() {
        for (DefaultChannelHandlerContext ctx = bottom(); ctx != null; ctx = ctx.nextAbove()) {
            if (Sharability.isExclusive(ctx.getHandler())) {
                DefaultChannelHandlerContext taken = Seats.take(ctx, null);
                if (taken != null) {
                    Sharability.onSecondPlace(ctx, taken);
                }
            }
        }
    }

    /**
     * Lets the exclusive handlers sit elsewhere from now on. For the channel, when it has closed and before anybody is told so:
     * who is told may connect anew with the same handlers.
     */
    final void releaseHandlers() {
        for (DefaultChannelHandlerContext ctx = bottom(); ctx != null; ctx = ctx.nextAbove()) {
            leaveSeat(ctx);
        }
    }
}
