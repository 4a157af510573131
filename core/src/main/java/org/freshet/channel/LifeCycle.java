package org.freshet.channel;

/** Calls {@link LifeCycleAwareChannelHandler}s, and converts their exceptions into ones that say whether the handler is in the pipeline. */
final class LifeCycle {
    private LifeCycle() {}

    static boolean concerns(DefaultChannelHandlerContext ctx) {
        return ctx.getHandler() instanceof LifeCycleAwareChannelHandler;
    }

    static void beforeAdd(DefaultChannelHandlerContext ctx) {
        try {
            aware(ctx).beforeAdd(ctx);
        } catch (Throwable t) {
            throw new ChannelHandlerLifeCycleException("beforeAdd failed, handler not added: " + ctx.label(), t);
        }
    }

    /** Removes the handler again if it fails. */
    static void afterAdd(DefaultChannelHandlerContext ctx) {
        try {
            aware(ctx).afterAdd(ctx);
        } catch (Throwable t) {
            throw undoAdd(ctx, t);
        }
    }

    private static ChannelHandlerLifeCycleException undoAdd(DefaultChannelHandlerContext ctx, Throwable cause) {
        try {
            ctx.pipeline.removeIfPresent(ctx);
        } catch (Throwable t) {
            var both = new ChannelHandlerLifeCycleException(
                    "afterAdd failed, and so did the removal that followed: " + ctx.label(), cause);
            both.addSuppressed(t);
            return both;
        }
        return new ChannelHandlerLifeCycleException("afterAdd failed, handler removed again: " + ctx.label(), cause);
    }

    static void beforeRemove(DefaultChannelHandlerContext ctx) {
        try {
            aware(ctx).beforeRemove(ctx);
        } catch (Throwable t) {
            throw new ChannelHandlerLifeCycleException("beforeRemove failed, handler not removed: " + ctx.label(), t);
        }
    }

    static void afterRemove(DefaultChannelHandlerContext ctx) {
        try {
            aware(ctx).afterRemove(ctx);
        } catch (Throwable t) {
            throw new ChannelHandlerLifeCycleException("afterRemove failed, handler is removed: " + ctx.label(), t);
        }
    }

    private static LifeCycleAwareChannelHandler aware(DefaultChannelHandlerContext ctx) {
        return (LifeCycleAwareChannelHandler) ctx.getHandler();
    }
}
