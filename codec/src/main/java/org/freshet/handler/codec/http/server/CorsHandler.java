package org.freshet.handler.codec.http.server;

import java.util.Objects;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.LifeCycleAwareChannelHandler;

/**
 * Tells browsers which pages of other origins may read the answers (the CORS protocol of the Fetch standard).
 *
 * <p>A preflight (OPTIONS with {@code Origin} and {@code Access-Control-Request-Method}) is answered here: with 204 and what
 * the {@link CorsRules} allow, or with 403. Any other request passes, and its answer gets {@code
 * Access-Control-Allow-Origin} if a rule allows its origin. Every final answer gets {@code Vary: Origin}, also one to a
 * request without an origin, since a cache must not give it to a page that has one. What {@code Vary} said before stays.
 *
 * <p>This keeps pages from reading, not from sending. {@linkplain #CorsHandler(CorsRules, boolean) Refusing} the requests of
 * other origins answers them with 403; those of the server's own pages, whose origin has the scheme and the authority of the request,
 * pass. The scheme is that of an absolute target, else {@code https} over TLS. Where a proxy in front ends TLS, allow the server's own origin
 * with a rule.
 *
 * <p>One instance a pipeline, behind the codec and before the handlers whose answers it marks; it must be called on the I/O
 * thread.
 */
public final class CorsHandler
        implements ChannelUpstreamHandler, ChannelDownstreamHandler, LifeCycleAwareChannelHandler {
    private final CorsAnswers answers;

    /** Refuses nothing but preflights. */
    public CorsHandler(CorsRules rules) {
        this(rules, false);
    }

    /** @param refuses whether requests of origins that no rule allows are answered with 403 */
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
