package org.freshet.internal.handler;

import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;

/** Finds handlers by their place in a pipeline. Any thread may call any method. */
public final class HandlersBelow {
    private HandlersBelow() {}

    /**
     * Returns the handler of a type that is nearest to a context, between it and the transport, or null. TLS that secures only the
     * connection to a proxy does not count.
     */
    public static <T extends ChannelHandler> T nearest(ChannelHandlerContext ctx, Class<T> type) {
        T nearest = null;
        for (ChannelHandler each : ctx.getPipeline().toMap().values()) {
            if (each == ctx.getHandler()) {
                break;
            }
            if (type.isInstance(each)) {
                nearest = type.cast(each);
            }
        }
        return nearest == null || TunnelTarget.securesOnlyProxy(ctx.getChannel(), nearest) ? null : nearest;
    }
}
