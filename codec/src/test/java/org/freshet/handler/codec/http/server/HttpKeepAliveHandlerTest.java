package org.freshet.handler.codec.http.server;

import static org.freshet.handler.codec.http.server.WireExchange.bytes;
import static org.freshet.handler.codec.http.server.WireExchange.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.internal.drain.ChannelDrain.Outcome;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Persistence and framing in HTTP/1.1 and HTTP/1.0. */
class HttpKeepAliveHandlerTest extends HttpKeepAliveHandlerContract {
    HttpKeepAliveHandlerTest() {
        super(TextClient.Wire.HTTP_1);
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1,                           '',           true",
        "HTTP/1.1,                           close,        false",
        "HTTP/1.1,                           'x, Close',   false",
        "HTTP/1.1,                           keep-alive,   true",
        "HTTP/1.0,                           '',           false",
        "HTTP/1.0,                           keep-alive,   true",
        "HTTP/1.0,                           'keep-alive, close', false",
    })
    void shouldFollowTheClientsRequest(String version, String connection, boolean kept) {
        client.receive("GET / " + version + "\r\nHost: a\r\n"
                + (connection.isEmpty() ? "" : "Connection: " + connection + "\r\n") + "\r\n");
        ChannelFuture written = client.answer("ok");
        assertTrue(written.isSuccess());
        String header = !kept ? "Connection: close\r\n" : version.endsWith("0") ? "Connection: keep-alive\r\n" : "";
        String head = client.sent().replace("Content-Length: 2\r\n", "");
        assertEquals("HTTP/1.1 200 OK\r\n" + header + "\r\nok", head);
        assertEquals(kept, client.channel().isOpen());
    }

    @Test
    void shouldIgnoreHeadersThatAHandlerReplaced() {
        client.channel().getPipeline().addLast("replacer", new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                ((HttpRequest) e.getMessage()).headers().set("Connection", "close");
                ((HttpRequest) e.getMessage()).setProtocolVersion(HttpVersion.HTTP_1_0);
                ctx.sendUpstream(e);
            }
        });
        client.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        client.answer("ok");
        assertTrue(client.channel().isOpen());
    }

    @Test
    void shouldCloseAfterAResponseThatSaysSoAndRefuseLaterWrites() {
        client.receive("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n");
        client.transport().holdWrites();
        HttpResponse last = response(200, "bye");
        last.headers().set("Connection", "x, CLOSE");
        ChannelFuture written = client.channel().write(last);
        ChannelFuture second = client.answer("late");
        assertInstanceOf(ClosedChannelException.class, second.getCause());
        client.targets();
        client.receive("GET /3 HTTP/1.1\r\nHost: a\r\n\r\n");
        assertEquals(List.of(), client.targets());
        assertTrue(client.channel().isOpen(), "the answer was not sent yet");
        client.transport().completeWrites();
        assertTrue(written.isSuccess());
        assertFalse(client.channel().isOpen());
        assertFalse(client.sent().contains("late"));
    }

    @Test
    void shouldCloseAfterTheLastChunk() {
        client.receive("POST /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n");
        HttpResponse head = response(200, "");
        head.setChunked(true);
        client.channel().write(head);
        client.chunk("a");
        assertTrue(client.channel().isOpen());
        client.takeReceived();
        client.receive("1\r\nx\r\n");
        assertEquals(1, client.takeReceived().size(), "the content is still accepted");
        client.channel().write(HttpChunk.LAST_CHUNK);
        assertFalse(client.channel().isOpen());
        assertTrue(client.sent().endsWith("0\r\n\r\n"));
    }

    @Test
    void shouldCloseAfterContentWrittenAsBuffers() {
        client.receive("GET /1 HTTP/1.0\r\n\r\n");
        HttpResponse head = response(200, "");
        HttpHeaders.setContentLength(head, 10);
        client.channel().write(head);
        client.channel().write(bytes("01234"));
        assertTrue(client.channel().isOpen());
        client.channel().write(bytes("56789"));
        assertFalse(client.channel().isOpen());
        assertTrue(client.sent().endsWith("\r\n\r\n0123456789"));
    }

    @Test
    void shouldSendChunksUnframedToAVersion10ClientAndClose() {
        client.receive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        HttpResponse head = response(200, "");
        head.setChunked(true);
        client.channel().write(head);
        client.chunk("abc");
        client.channel().write(HttpChunk.LAST_CHUNK);
        String sent = client.sent();
        assertTrue(sent.contains("Connection: close\r\n") && sent.endsWith("\r\n\r\nabc"), sent);
        assertFalse(client.channel().isOpen());
    }

    @Test
    void shouldNotCloseAfterRefusingACompleteRequest() {
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
        client.channel().write(response(401, ""));
        assertTrue(client.channel().isOpen());
    }

    @Test
    void shouldLeaveAnUpgradeAlone() {
        client.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade, close\r\nUpgrade: x\r\n\r\n");
        HttpResponse switching = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        switching.headers().set("Connection", "upgrade");
        client.channel().write(switching);
        client.channel().write(bytes("raw"));
        assertTrue(client.channel().isOpen());
        assertTrue(client.sent().endsWith("raw"));
    }

    @Test
    void shouldReportThatItNeedsACodec() {
        WireExchange without = new WireExchange(new HttpKeepAliveHandler(false));
        without.channel().write(response(200, ""));
        assertEquals(1, without.takeCaught().size());
    }

    // ---- draining ----

    private static final long FOR_EVER = TimeUnit.DAYS.toNanos(1);

    private ChannelDrain drain(long quietNanos) {
        return ChannelDrain.start(client.transport(), quietNanos, Runnable::run);
    }

    private static Outcome outcome(ChannelDrain drain) {
        return Await.result(drain.ended(), "the end of the drain").outcome();
    }

    @Test
    void shouldCloseAfterTheAnswerThatIsDueWhenDrained() {
        client.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        ChannelDrain drain = drain(0);
        assertTrue(client.transport().isOpen());

        client.answer("ok");

        assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok", client.sent());
        assertFalse(client.transport().isOpen());
        assertEquals(Outcome.FINISHED, outcome(drain));
    }

    @Test
    void shouldAnswerTheNextRequestOfAnIdleConnectionWhenDrained() {
        ChannelDrain drain = drain(FOR_EVER);
        assertTrue(client.transport().isOpen());

        client.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        client.answer("ok");

        assertTrue(client.sent().contains("Connection: close\r\n"));
        assertFalse(client.transport().isOpen());
        assertEquals(Outcome.FINISHED, outcome(drain));
    }

    @Test
    void shouldAnswerAllReceivedRequestsWhenDrained() {
        client.receive("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n");
        drain(0);

        client.answer("1");
        assertFalse(client.sent().contains("close"));
        assertTrue(client.transport().isOpen());
        client.answer("2");

        assertTrue(client.sent().contains("Connection: close\r\n"));
        assertFalse(client.transport().isOpen());
    }

    @Test
    void shouldNotBeClosedInTheMiddleOfAnAnswerWhenDrained() {
        client.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        HttpResponse head = response(200, "");
        head.setChunked(true);
        head.headers().set("Transfer-Encoding", "chunked");
        client.transport().write(head);
        ChannelDrain drain = drain(0);

        client.chunk("a part");
        assertTrue(client.transport().isOpen());
        client.transport().write(HttpChunk.LAST_CHUNK);

        assertEquals(Outcome.FINISHED, outcome(drain));
        assertTrue(client.sent().endsWith("0\r\n\r\n"));
    }

    /** Nothing tells the drain about the answer any more, so the channel may be closed before it. */
    @Test
    void shouldReportAnUnansweredRequestAsLostOnceItIsRemoved() {
        client.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        ChannelDrain drain = drain(0);
        assertFalse(drain.ended().isDone());
        client.transport().getPipeline().remove(HttpKeepAliveHandler.class);
        assertTrue(drain.ended().isDone());
        assertEquals(Outcome.LOST, outcome(drain));
    }

    /** The request has its answer, and what follows belongs to another protocol. */
    @Test
    void shouldReportNothingLostIfItIsRemovedDuringAnUpgrade() {
        client.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n");
        ChannelDrain drain = drain(0);
        ChannelPipeline pipeline = client.transport().getPipeline();
        HttpResponse switching = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        switching.headers().set("Connection", "upgrade");
        switching.headers().set("Upgrade", "other");
        ChannelFuture sent = Channels.future(client.transport());
        sent.addListener(written -> pipeline.remove(HttpKeepAliveHandler.class));
        pipeline.sendDownstream(new DownstreamMessageEvent(client.transport(), sent, switching, null));
        assertNull(pipeline.get(HttpKeepAliveHandler.class));
        assertEquals(Outcome.FINISHED, outcome(drain));
    }

    @Test
    void shouldReportRequestThatWasNeverAnswered() {
        client.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        ChannelDrain drain = drain(0);

        drain.cut();

        List<String> holds = Await.result(drain.ended(), "the end of the drain").holds();
        assertEquals(1, holds.size());
        assertTrue(holds.get(0).endsWith(": unanswered requests"), holds.get(0));
    }
}
