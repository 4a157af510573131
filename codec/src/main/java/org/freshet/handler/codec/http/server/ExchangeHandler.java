package org.freshet.handler.codec.http.server;

import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.internal.handler.ReadSuspension;

/**
 * The base of handlers that see requests go up and their answers come down, and keep a value for each meanwhile. Reading is
 * suspended while {@link HttpLimits#maxPipelinedRequests()} of them are not answered, so that what is kept has a limit.
 *
 * <p>Threading: events up run on one thread at a time; responses must be written one after the other, by any thread.
 */
abstract class ExchangeHandler<T> implements ChannelUpstreamHandler, ChannelDownstreamHandler {
    private static final int MAX_OPEN = HttpLimits.defaults().maxPipelinedRequests();

    final ResponseTracker<T> exchanges = new ResponseTracker<>(MAX_OPEN);

    /** Null until there is something to suspend, or a handler above asks to read or not to. */
    private volatile ReadSuspension reading;

    /** Keeps a value until the request is answered. */
    final void expect(ChannelHandlerContext ctx, T value, HttpRequest request) {
        if (exchanges.expect(value, request)) {
            reading(ctx).suspend();
        }
    }

    final ReadSuspension reading(ChannelHandlerContext ctx) {
        ReadSuspension present = reading;
        if (present == null) {
            synchronized (exchanges) {
                present = reading == null ? ReadSuspension.at(ctx) : reading;
                reading = present;
            }
        }
        return present;
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent write) {
            T value = exchanges.onWrite(write.getMessage());
            boolean last = exchanges.ended();
            if (exchanges.fellBelowBound()) {
                reading(ctx).resume();
            }
            onWrite(ctx, write, value, last);
        } else if (ReadSuspension.isReadRequest(e)) {
            reading(ctx).request((ChannelStateEvent) e);
        } else {
            ctx.sendDownstream(e);
        }
    }

    /**
     * Sends a message on.
     *
     * @param value of the request that the message answers; null if it answers none
     * @param last whether nothing of the answer follows
     */
    abstract void onWrite(ChannelHandlerContext ctx, MessageEvent write, T value, boolean last) throws Exception;
}
