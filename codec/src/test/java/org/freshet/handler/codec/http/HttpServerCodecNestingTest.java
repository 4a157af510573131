package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.InputShutdownEvent;
import org.junit.jupiter.api.Test;

/** Answers within answers, and input that waits. */
class HttpServerCodecNestingTest {
    private static final String GET = "GET / HTTP/1.1\r\n\r\n";

    private static HttpResponse ok() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(response, 0);
        return response;
    }

    @Test
    void shouldCountAnswersWrittenByListeners() {
        HttpServerCodec codec = new HttpServerCodec(
                HttpLimits.defaults().toBuilder().maxPipelinedRequests(2).build());
        HttpTestServer server = new HttpTestServer(codec);
        server.receive(GET + GET);
        ChannelFuture first = Channels.future(server.channel);
        first.addListener((ChannelFutureListener) sent -> server.channel.write(ok()));
        server.channel.getPipeline().sendDownstream(new DownstreamMessageEvent(server.channel, first, ok(), null));
        assertEquals(0, codec.exchanges().unanswered());
    }

    @Test
    void shouldPassOnTheEndOfTheInputWhenItIsRemoved() {
        HttpServerCodec codec = new HttpServerCodec();
        HttpTestServer server = new HttpTestServer(codec);
        server.receive(GET + GET);
        server.channel.getPipeline().sendUpstream(new InputShutdownEvent(server.channel));
        server.channel.takeUpstream();
        server.channel.getPipeline().remove(codec);
        assertTrue(server.channel.takeUpstream().stream().anyMatch(InputShutdownEvent.class::isInstance));
    }

    @Test
    void shouldPassOnTheEndOfTheInputAfterALateRefusal() {
        HttpServerCodec codec = new HttpServerCodec();
        HttpTestServer server = new HttpTestServer(codec);
        server.receive(GET + "GET / HTTP/1.1\r\nA : b\r\n\r\n");
        server.channel.getPipeline().sendUpstream(new InputShutdownEvent(server.channel));
        server.channel.takeUpstream();
        server.answer(HttpResponseStatus.OK, "hi");
        assertInstanceOf(HttpFailure.class, server.channel.takeCaught().get(0));
        assertEquals(1, codec.exchanges().unanswered());
        assertTrue(server.channel.takeUpstream().stream().anyMatch(InputShutdownEvent.class::isInstance));
    }
}
