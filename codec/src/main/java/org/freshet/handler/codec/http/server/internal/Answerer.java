package org.freshet.handler.codec.http.server.internal;

import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;

/** Decides which requests an {@link AnswerQueue} answers, and answers them. Called on the queue's thread. */
public interface Answerer {
    /** Whether the request is answered here. Called more than once, and must always return the same. */
    boolean takes(HttpRequest request);

    /** Answers a request, and calls {@link AnswerQueue#onAnswered} now or later, or closes the channel. */
    void answer(HttpRequest request);

    /** Called when a request is passed on. Its exchange may store something for {@link #decorate}. */
    default void onPassedOn(HttpRequest request, Exchange exchange) {}

    /** Changes the response of another handler. */
    default void decorate(HttpResponse response, Exchange exchange) {}

    /** Passes on events other than messages, refusals by the codec, and the end of input. */
    default void passStateOn(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        ctx.sendUpstream(e);
    }
}
