package org.freshet.handler.codec.http.server;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpResponseStatus;

/**
 * The last handler of a ready-made pipeline. Answers exceptions that no handler dealt with, including an application's
 * IOException, with 500. A lost connection already has its close reason, and gets no answer. The failure is passed on
 * to the end of the pipeline, where it is logged. Runs on the thread of the event.
 */
final class UnhandledFailureHandler extends SimpleChannelUpstreamHandler {
    private final HttpErrorResponder errors;

    UnhandledFailureHandler(HttpErrorResponder errors) {
        this.errors = errors;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        if (ctx.getChannel().isConnected() && ctx.getChannel().getCloseReason() == null) {
            errors.answer(HttpResponseStatus.INTERNAL_SERVER_ERROR, e.getCause());
        }
        ctx.sendUpstream(e);
    }
}
