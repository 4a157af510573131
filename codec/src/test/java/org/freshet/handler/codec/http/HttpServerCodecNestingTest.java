package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    private static HttpTestServer pipelining(int requests) {
        HttpLimits limits =
                HttpLimits.defaults().toBuilder().maxPipelinedRequests(requests).build();
        return new HttpTestServer(new HttpServerCodec(limits));
    }

    /** Another thread may answer just then, when it finds nothing to resume yet. */
    @Test
    void shouldDecodeOnIfAnAnswerEndsWhileReadingIsBeingSuspended() {
        ChannelHandler answering = new SimpleChannelDownstreamHandler() {
            @Override
            public void setInterestOpsRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
                ctx.sendDownstream(e);
                if (e.getValue().equals(Channel.OP_NONE)) {
                    ctx.getChannel().write(ok());
                }
            }
        };
        HttpTestServer server = new HttpTestServer(answering, new HttpServerCodec());
        server.receive(GET.repeat(3));
        assertEquals(3, server.takeReceived().size());
        assertTrue(server.channel.isReadable());
    }

    /** One request after the other is what it promises, and a tunnel waits for its own answer alone. */
    @ParameterizedTest
    @CsvSource({"1,GET / HTTP/1.1", "2,CONNECT h:1 HTTP/1.1"})
    void shouldNotWarnOfRequestsThatWaitAsTheyShould(int pipelined, String second) {
        try (CapturedLog log = CapturedLog.start()) {
            HttpTestServer server = pipelining(pipelined);
            server.receive(GET + second + "\r\n\r\n" + GET);
            assertFalse(server.channel.isReadable());
            assertEquals(List.of(), log.messages());
        }
    }

    @Test
    void shouldAnnounceAnAnswerOnlyIfARequestWaitsForIt() {
        HttpTestServer server = pipelining(2);
        server.receive(GET + GET);
        server.channel.takeUpstream();
        for (int announced = 1; announced >= 0; announced--) {
            server.channel.write(ok());
            long events = server.channel.takeUpstream().stream()
                    .filter(e ->
                            e instanceof ChannelStateEvent change && change.getState() == ChannelState.INTEREST_OPS)
                    .count();
            assertEquals(announced, events);
        }
    }

    @Test
    void shouldPassOnWhatIsNotBytes() {
        HttpServerCodec codec = new HttpServerCodec();
        HttpTestServer server = new HttpTestServer(codec);
        server.channel.receive("a message");
        assertEquals(List.of("a message"), server.channel.takeReceived());
        assertEquals(0, codec.exchanges().receivedBytes());
    }

    /** What the transport had read before is still decoded when its turn comes. */
    @Test
    void shouldReadOnAlthoughMoreArrivedWhileReadingWasSuspended() {
        HttpTestServer server = new HttpTestServer(new HttpServerCodec());
        server.receive(GET + GET);
        server.receive(GET);
        assertFalse(server.channel.isReadable());
        for (int i = 0; i < 3; i++) {
            assertEquals(1, server.takeReceived().size());
            server.channel.write(ok());
        }
        assertTrue(server.channel.isReadable());
    }

    /** A server that refuses a connection ends it with its answer, also if that has a status that can't be sent. */
    @ParameterizedTest
    @ValueSource(ints = {503, 99})
    void shouldCloseAfterAnAnswerBeforeTheFirstRequest(int code) {
        HttpTestServer server = new HttpTestServer(new HttpServerCodec());
        ChannelFuture written = server.channel.write(WrittenParts.head(code, 0));
        assertEquals(code == 503, written.isSuccess());
        assertFalse(server.channel.isOpen());
    }

    @Test
    void shouldPassOnTheEndOfTheInputIfNoRequestWaits() {
        HttpTestServer server = new HttpTestServer(new HttpServerCodec());
        server.receive(GET);
        server.channel.takeUpstream();
        server.channel.getPipeline().sendUpstream(new InputShutdownEvent(server.channel));
        assertTrue(server.channel.takeUpstream().stream().anyMatch(InputShutdownEvent.class::isInstance));
    }

    @Test
    void shouldPassOnOtherEventsWhileRequestsWait() {
        HttpTestServer server = new HttpTestServer(new HttpServerCodec());
        server.receive(GET + GET);
        Exception failure = new Exception("planted");
        Channels.fireExceptionCaught(server.channel, failure);
        assertEquals(List.of(failure), server.channel.takeCaught());
    }

    /** The codec itself has suspended reading by then, and resumes it. */
    @Test
    void shouldNotReadIfAHandlerHasSuspendedReadingWhileRequestsWaited() {
        HttpTestServer server = new HttpTestServer(new HttpServerCodec());
        server.receive(GET + GET);
        server.channel.setReadable(false);
        server.channel.write(ok());
        assertEquals(2, server.takeReceived().size());
        assertFalse(server.channel.isReadable());
        server.channel.setReadable(true);
        assertTrue(server.channel.isReadable());
    }

    /** A request has one answer, even if its content turns out to be wrong. */
    @Test
    void shouldOweOneAnswerToARequestWhoseContentIsRefused() {
        HttpTestServer server = pipelining(2);
        server.receive("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n");
        assertEquals(2, server.takeReceived().size(), "the head and the failure");
        assertEquals(1, Exchanges.of(server.channel.getPipeline()).unanswered());
    }
}
