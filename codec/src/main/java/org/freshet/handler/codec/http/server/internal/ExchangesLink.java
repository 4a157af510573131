package org.freshet.handler.codec.http.server.internal;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpRequest;

/**
 * Caches the exchanges of a handler's channel: they are needed for every message, and their codec may be removed. Any
 * thread.
 */
public final class ExchangesLink {
    private volatile Exchanges found;

    /**
     * The attachment to the exchange of exactly this request; null if the request belongs to no exchange, or has been answered.
     */
    public static Object attachment(Channel channel, HttpRequest request, Object owner) {
        Exchanges exchanges = Exchanges.of(channel.getPipeline());
        Exchange exchange = exchanges == null ? null : exchanges.ofDecoded(request);
        return exchange == null ? null : exchange.attachment(owner);
    }

    /** @throws IllegalStateException if the pipeline never had any exchanges */
    public Exchanges of(ChannelHandlerContext ctx) {
        Exchanges exchanges = existing(ctx);
        return exchanges == null ? Exchanges.require(ctx) : exchanges;
    }

    /** Null if the pipeline never had any exchanges. */
    public Exchanges existing(ChannelHandlerContext ctx) {
        Exchanges exchanges = found;
        if (exchanges == null) {
            exchanges = Exchanges.of(ctx.getPipeline());
            found = exchanges;
        } else if (exchanges.isRemoved() && !exchanges.isUpgraded()) {
            Exchanges others = Exchanges.of(ctx.getPipeline()); // another codec may have replaced it
            exchanges = others == null ? exchanges : others;
            found = exchanges;
        }
        return exchanges;
    }
}
