package org.freshet.handler.codec.http.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.junit.jupiter.api.Test;

/** Its turn among pipelined requests; {@link PipelineOptionsTest} has its place in a ready-made pipeline. */
class NotFoundHandlerTest {
    /** The thread that writes a response may still be on its way to the transport, or wait for room there. */
    private final ChannelDownstreamHandler transport = (ctx, e) -> {
        if (e instanceof MessageEvent) {
            Channels.fireWriteComplete(ctx.getChannel(), 1);
            Channels.fireChannelInterestChanged(ctx.getChannel());
        }
        ctx.sendDownstream(e);
    };

    private final SimpleChannelUpstreamHandler slow = new SimpleChannelUpstreamHandler() {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (!((HttpRequest) e.getMessage()).getUri().equals("/slow")) {
                ctx.sendUpstream(e);
            }
        }
    };

    @Test
    void shouldAnswerOnceTheEarlierResponseHasBeenPassedOn() {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxPipelinedRequests(4).build();
        WireExchange peer = new WireExchange(transport, new HttpServerCodec(limits), slow, new NotFoundHandler());
        peer.receive("GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /missing HTTP/1.1\r\nHost: a\r\n\r\n");
        peer.answer("late");
        String sent = peer.sent();
        assertTrue(sent.matches("(?s)HTTP/1\\.1 200 .*lateHTTP/1\\.1 404 .*"), sent);
        peer.channel().close();
    }
}
