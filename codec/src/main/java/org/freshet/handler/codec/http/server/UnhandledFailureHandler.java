package org.freshet.handler.codec.http.server;

import java.io.IOException;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpResponseStatus;

/**
 * The last handler of a ready-made pipeline: answers 500 to what no handler dealt with, and closes after a lost connection. The
 * failure goes on to the end of the pipeline, where it is logged. The thread of the event.
 */
final class UnhandledFailureHandler extends SimpleChannelUpstreamHandler {
    private final HttpErrorResponder errors;

    UnhandledFailureHandler(HttpErrorResponder errors) {
        this.errors = errors;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        if (e.getCause() instanceof IOException) {
            ctx.getChannel().disconnect();
        } else {
            errors.answer(HttpResponseStatus.INTERNAL_SERVER_ERROR);
        }
        ctx.sendUpstream(e);
    }
}
