package org.freshet.handler.codec.http.server;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.HttpServerExchanges;

/** What a handler asks about the requests of its channel: the codec in its pipeline, or the channel itself. Any thread. */
final class ExchangesLink {
    private volatile HttpServerExchanges found;

    /**
     * The requests, or null if the connection does not speak HTTP any more.
     *
     * @throws IllegalStateException if it never did
     */
    HttpServerExchanges of(ChannelHandlerContext ctx) {
        HttpServerExchanges exchanges = found;
        if (exchanges == null) {
            exchanges = find(ctx);
            found = exchanges;
        }
        return exchanges.isUpgraded() ? null : exchanges;
    }

    /** @throws IllegalStateException if there are none */
    static HttpServerExchanges find(ChannelHandlerContext ctx) {
        HttpServerExchanges exchanges = HttpServerExchanges.of(ctx.getPipeline());
        if (exchanges == null) {
            throw new IllegalStateException(ctx.getName()
                    + " needs an HttpServerCodec in its pipeline, or the channel of a" + " server's HTTP/2 stream");
        }
        return exchanges;
    }
}
