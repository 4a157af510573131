package org.freshet.handler.codec.http.server;

import java.util.Objects;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.server.internal.ExchangesLink;
import org.freshet.internal.ActsOn;

/**
 * Determines the client behind the proxies in front of a server. The result is the request's {@link RequestSource}, and
 * is used in the access log. The request itself isn't changed.
 *
 * <p>Use one instance per pipeline, right after the codec. Runs on the thread of the event.
 */
@ActsOn({})
public final class ForwardedHandler implements ChannelUpstreamHandler {
    private final ExchangesLink links = new ExchangesLink();
    private final TrustedProxies proxies;

    public ForwardedHandler(TrustedProxies proxies) {
        this.proxies = Objects.requireNonNull(proxies, "proxies");
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent message && message.getMessage() instanceof HttpRequest request) {
            RequestSource peer = RequestSource.ofConnection(ctx.getChannel(), request);
            RequestSource client = proxies.clientOf(peer, request.headers());
            Exchange exchange = client == peer ? null : links.of(ctx).ofDecoded(request);
            if (exchange != null) {
                client.keep(exchange);
            }
        }
        ctx.sendUpstream(e);
    }
}
