package org.freshet.channel;

/**
 * The contexts of a pipeline, and their ownership of handlers that may be in only one pipeline at a time.
 *
 * <p><b>Threading.</b> See {@link ContextList}; any thread may use {@link HandlerOwnership}.
 */
abstract class OwningContextList extends ContextList {
    /** Contexts own their handlers once the pipeline has a channel. */
    abstract boolean isAttached();

    /** Refuses or reports a handler that is already in another place. Takes no lock, because it may log. */
    final void checkSharable(DefaultChannelHandlerContext ctx, DefaultChannelHandlerContext toBeReplaced) {
        ChannelHandler handler = ctx.getHandler();
        if (!Sharability.isChecked(handler)) {
            return;
        }
        DefaultChannelHandlerContext present = contextOf(handler);
        if (present == null) {
            present = HandlerOwnership.ownerOf(ctx);
        }
        if (present != null && present != toBeReplaced) {
            Sharability.onSecondPlace(ctx, present);
        }
    }

    /** Returns the handler's context in this pipeline, or null. Doesn't take the monitor, because it runs for each new connection. */
    private DefaultChannelHandlerContext contextOf(ChannelHandler handler) {
        DefaultChannelHandlerContext ctx = bottom();
        while (ctx != null && ctx.getHandler() != handler) {
            ctx = ctx.nextAbove();
        }
        return ctx;
    }

    /** Repeats the check: another thread may have added the handler since {@link #checkSharable}. Under the monitor. */
    final void acquireHandler(DefaultChannelHandlerContext ctx, DefaultChannelHandlerContext toBeReplaced) {
        ChannelHandler handler = ctx.getHandler();
        if (!isAttached() || !Sharability.isChecked(handler)) {
            return;
        }
        DefaultChannelHandlerContext owner = HandlerOwnership.acquire(ctx, toBeReplaced);
        if (owner != null && Sharability.isRefused(handler)) {
            Sharability.onSecondPlace(ctx, owner);
        }
    }

    static void releaseHandler(DefaultChannelHandlerContext ctx) {
        if (Sharability.isExclusive(ctx.getHandler())) {
            HandlerOwnership.release(ctx);
        }
    }

    /** Called once the pipeline has a channel: its contexts become the owners of the handlers added so far. */
    final void acquireHandlers() {
        for (DefaultChannelHandlerContext ctx = bottom(); ctx != null; ctx = ctx.nextAbove()) {
            if (Sharability.isChecked(ctx.getHandler())) {
                DefaultChannelHandlerContext owner = HandlerOwnership.acquire(ctx, null);
                if (owner != null) {
                    Sharability.onSecondPlace(ctx, owner);
                }
            }
        }
    }

    /**
     * Releases the handlers for use in other pipelines. Called when the channel has closed, before its close future completes: a listener
     * may reconnect with the same handlers.
     */
    final void releaseHandlers() {
        for (DefaultChannelHandlerContext ctx = bottom(); ctx != null; ctx = ctx.nextAbove()) {
            releaseHandler(ctx);
        }
    }
}
