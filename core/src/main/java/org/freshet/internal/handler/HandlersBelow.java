package org.freshet.internal.handler;

import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;

/** Finds handlers by their place in a pipeline. Any thread may call any method. */
public final class HandlersBelow {
    private HandlersBelow() {}

    /**
     * Returns the handler of a type that is nearest to a context, between it and the transport. With TLS inside a tunnel through a proxy
     * that also uses TLS, this is the TLS of the context's own protocol. Null if no such handler is there.
     */
    public static <T extends ChannelHandler> T nearest(ChannelHandlerContext ctx, Class<T> type) {
        T nearest = null;
        for (ChannelHandler each : ctx.getPipeline().toMap().values()) {
            if (each == ctx.getHandler()) {
                return nearest;
            }
            if (type.isInstance(each)) {
                nearest = type.cast(each);
            }
        }
        return nearest;
    }
}
