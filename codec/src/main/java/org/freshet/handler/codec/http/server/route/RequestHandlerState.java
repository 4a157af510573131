package org.freshet.handler.codec.http.server.route;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.server.RequestSource;
import org.freshet.handler.codec.http.server.internal.ExchangesLink;

/**
 * The state of a {@link RequestHandler} for one connection, kept in its context. Belongs to the thread of the channel's
 * events.
 */
final class RequestHandlerState {
    private final ExchangesLink links = new ExchangesLink();

    /** Null until a function answers late. */
    private AnswerOrder order;

    static RequestHandlerState of(ChannelHandlerContext ctx) {
        if (ctx.getAttachment() instanceof RequestHandlerState present) {
            return present;
        }
        RequestHandlerState made = new RequestHandlerState();
        ctx.setAttachment(made);
        return made;
    }

    /** Null if no function has answered late. */
    AnswerOrder existingOrder() {
        return order;
    }

    AnswerOrder order(ChannelHandlerContext ctx) {
        if (order == null) {
            order = new AnswerOrder(ctx);
        }
        return order;
    }

    /** The source of a request according to proxies; null if there is no such information. */
    RequestSource forwarded(ChannelHandlerContext ctx, HttpRequest request) {
        Exchanges exchanges = links.existing(ctx);
        Exchange exchange = exchanges == null ? null : exchanges.ofDecoded(request);
        return exchange == null ? null : (RequestSource) exchange.attachment(RequestSource.class);
    }
}
