package org.freshet.handler.codec.http.server.internal;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpRequest;

/** Finds the exchanges of a handler's channel once: they are asked for with every message, and their codec may go. Any thread. */
public final class ExchangesLink {
    private volatile Exchanges found;

    /** What is attached to the exchange of this very request; null for nothing, and once the request has been answered. */
    public static Object attachment(Channel channel, HttpRequest request, Object owner) {
        Exchanges exchanges = Exchanges.of(channel.getPipeline());
        Exchange exchange = exchanges == null ? null : exchanges.ofDecoded(request);
        return exchange == null ? null : exchange.attachment(owner);
    }

    /** @throws IllegalStateException if the pipeline never had any */
    public Exchanges of(ChannelHandlerContext ctx) {
        Exchanges exchanges = existing(ctx);
        return exchanges == null ? Exchanges.require(ctx) : exchanges;
    }

    /** Null if the pipeline never had any. */
    public Exchanges existing(ChannelHandlerContext ctx) {
        Exchanges exchanges = found;
        if (exchanges == null) {
            exchanges = Exchanges.of(ctx.getPipeline());
            found = exchanges;
        } else if (exchanges.isRemoved() && !exchanges.isUpgraded()) {
            Exchanges others = Exchanges.of(ctx.getPipeline()); // of a codec in the place of the one before
            exchanges = others == null ? exchanges : others;
            found = exchanges;
        }
        return exchanges;
    }
}
