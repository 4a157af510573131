package org.freshet.handler.codec.http.server;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.server.internal.StatusAnswer;

/**
 * The last handler of a ready-made pipeline. Answers exceptions that no handler dealt with, including an application's
 * IOException, with 500. A lost connection already has its close reason, and gets no answer. The failure is passed on
 * to the end of the pipeline, where it is logged. Runs on the thread of the event.
 */
final class UnhandledFailureHandler extends SimpleChannelUpstreamHandler {
    private final HttpErrorResponder errors;
    private final boolean answersRequests;

    /**
     * @param answersRequests whether unanswered requests that arrive here get a 404; only if no earlier handler answers
     *     later
     */
    UnhandledFailureHandler(HttpErrorResponder errors, boolean answersRequests) {
        this.errors = errors;
        this.answersRequests = answersRequests;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        if (answersRequests && e.getMessage() instanceof HttpRequest request) {
            Exchange exchange = Exchanges.require(ctx).of(request);
            if (exchange != null && exchange.isAwaited()) {
                Channels.write(ctx, Channels.future(ctx.getChannel()), StatusAnswer.of(HttpResponseStatus.NOT_FOUND));
            }
        }
        ctx.sendUpstream(e);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        if (ctx.getChannel().isConnected() && ctx.getChannel().getCloseReason() == null) {
            errors.answer(HttpResponseStatus.INTERNAL_SERVER_ERROR, e.getCause());
        }
        ctx.sendUpstream(e);
    }
}
