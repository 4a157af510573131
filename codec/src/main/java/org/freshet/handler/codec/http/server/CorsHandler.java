package org.freshet.handler.codec.http.server;

import java.util.Objects;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;

/**
 * Lets pages of other origins read responses (the CORS protocol of the Fetch standard).
 *
 * <p>A preflight (OPTIONS with {@code Origin} and {@code Access-Control-Request-Method}) is answered here: with 204 and
 * what the {@link CorsRules} allow, or with 403. Any other request passes, and its response gets
 * {@code Access-Control-Allow-Origin} if a rule allows its origin. Every final response gets {@code Vary: Origin}, even
 * if the request has no origin, since a cache must not return it to a page that has one. An existing {@code Vary} is
 * extended.
 *
 * <p>CORS keeps pages from reading, not from sending. To {@linkplain #CorsHandler(CorsRules, boolean) refuse} requests
 * from other origins as well, with 403, set {@code refuses}. Requests from the server's own pages, whose origin has the
 * scheme and authority of the request, still pass. The scheme is that of an absolute target, otherwise {@code https}
 * over TLS. If a proxy in front ends TLS, allow the server's own origin with a rule.
 *
 * <p>Use one instance per pipeline. Put it after the codec and before the handlers whose responses it marks. It must be
 * called on the I/O thread.
 */
@ActsOn({EventKind.INTEREST_CHANGED, EventKind.CLOSED})
public final class CorsHandler
        implements ChannelUpstreamHandler, ChannelDownstreamHandler, LifeCycleAwareChannelHandler {
    private final CorsAnswers answers;

    /** Refuses only preflights. */
    public CorsHandler(CorsRules rules) {
        this(rules, false);
    }

    /** @param refuses whether requests from origins that no rule allows are answered with 403 */
    public CorsHandler(CorsRules rules, boolean refuses) {
        answers = new CorsAnswers(Objects.requireNonNull(rules, "rules"), refuses);
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        answers.queue.handleUpstream(ctx, e);
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        answers.queue.handleDownstream(ctx, e);
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) {
        answers.queue.onAdd(ctx);
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) {
        answers.queue.onRemove();
    }
}
