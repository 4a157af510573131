package org.freshet.channel;

import org.freshet.internal.race.RaceCheck;

/** Calls handlers under the eyes of {@link RaceCheck}, where that is on. Any thread. */
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

    /** Null for a handler that may be in several threads. */
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
