package org.freshet.channel;

import org.freshet.internal.race.RaceCheck;

/** Calls handlers through {@link RaceCheck} while that is enabled. Any thread may call any method. */
final class CheckedCalls {
    private CheckedCalls() {}

    static void handleUpstream(DefaultChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        RaceCheck.Call call = enter(ctx, ctx.upstream, e, !(e instanceof ExceptionEvent));
        try {
            ctx.upstream.handleUpstream(ctx, e);
        } finally {
            leave(call);
        }
    }

    static void handleDownstream(DefaultChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        RaceCheck.Call call = enter(ctx, ctx.downstream, e, false);
        try {
            ctx.downstream.handleDownstream(ctx, e);
        } finally {
            leave(call);
        }
    }

    /** Returns null for a handler that several threads may call. */
    private static RaceCheck.Call enter(
            DefaultChannelHandlerContext ctx, ChannelHandler handler, ChannelEvent e, boolean isInOrder) {
        return Sharability.isSharable(handler)
                ? null
                : RaceCheck.INSTANCE.enter(handler, ctx.label(), ctx.getChannel(), e, isInOrder);
    }

    private static void leave(RaceCheck.Call call) {
        if (call != null) {
            RaceCheck.INSTANCE.leave(call);
        }
    }
}
