package org.freshet.handler.codec.http.server.internal;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.Exchanges;

/** Finds the exchanges of a handler's channel once: they are asked for with every message, and their codec may go. Any thread. */
public final class ExchangesLink {
    private volatile Exchanges found;

    /** @throws IllegalStateException if the pipeline never had any */
    public Exchanges of(ChannelHandlerContext ctx) {
        Exchanges exchanges = found;
        if (exchanges == null) {
            exchanges = Exchanges.require(ctx);
            found = exchanges;
        } else if (exchanges.isRemoved() && !exchanges.isUpgraded()) {
            Exchanges others = Exchanges.of(ctx.getPipeline()); // of a codec in the place of the one before
            exchanges = others == null ? exchanges : others;
            found = exchanges;
        }
        return exchanges;
    }
}
