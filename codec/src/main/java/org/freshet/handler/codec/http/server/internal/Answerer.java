package org.freshet.handler.codec.http.server.internal;

import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;

/** Decides which requests an {@link AnswerQueue} answers, and answers them. Called on the queue's thread. */
public interface Answerer {
    /** Whether the request is answered here. Asked more than once, and always to the same effect. */
    boolean takes(HttpRequest request);

    /** Answers a request, and calls {@link AnswerQueue#onAnswered}, now or later, or closes the channel. */
    void answer(HttpRequest request);

    /** A request is passed on; its exchange may keep something for {@link #decorate}. */
    default void onPassedOn(HttpRequest request, Exchange exchange) {}

    /** Changes what another handler answers. */
    default void decorate(HttpResponse response, Exchange exchange) {}

    /** Passes on what is neither a message nor a refusal of the codec nor the end of the input. */
    default void passStateOn(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        ctx.sendUpstream(e);
    }
}
