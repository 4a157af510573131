package org.freshet.handler.codec.http.server;

import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.server.internal.AnswerQueue;
import org.freshet.handler.codec.http.server.internal.Answerer;
import org.freshet.handler.codec.http.server.internal.StatusAnswer;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;

/**
 * Answers requests that arrive here unanswered with 404, each after the responses to earlier requests. Only for
 * pipelines in which handlers pass on no request that they answer later. I/O thread only.
 */
@ActsOn({EventKind.INTEREST_CHANGED, EventKind.CLOSED})
final class NotFoundHandler
        implements ChannelUpstreamHandler, ChannelDownstreamHandler, LifeCycleAwareChannelHandler, Answerer {
    private final AnswerQueue queue = new AnswerQueue(this);

    @Override
    public boolean takes(HttpRequest request) {
        Exchange exchange = Exchanges.require(queue.context()).of(request);
        return exchange != null && exchange.isAwaited();
    }

    @Override
    public void answer(HttpRequest request) {
        HttpResponse response = StatusAnswer.of(HttpResponseStatus.NOT_FOUND);
        queue.sendWhole(response, queue.completeHead(request, response));
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        queue.handleUpstream(ctx, e);
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        queue.handleDownstream(ctx, e);
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) {
        queue.onAdd(ctx);
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) {
        queue.onRemove();
    }
}
