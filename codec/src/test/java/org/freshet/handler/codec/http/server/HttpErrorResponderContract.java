package org.freshet.handler.codec.http.server;

import static org.freshet.handler.codec.http.server.WireExchange.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.MalformedHttpMessageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Behavior shared by HTTP/1.1 and HTTP/2. */
abstract class HttpErrorResponderContract {
    static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

    /** Twice this is more than the aggregator accepts, twenty times more than the limits allow. */
    static final String CHUNK = "40\r\n" + "x".repeat(64) + "\r\n";

    private static final HttpLimits LIMITS = HttpLimits.standard().toBuilder()
            .maxPipelinedRequests(128)
            .maxInitialLineLength(64)
            .maxHeaderSize(128)
            .maxContentLength(1000)
            .maxMethodLength(7)
            .build();

    final HttpErrorResponder errors = new HttpErrorResponder();
    final WireExchange client;
    private final TextClient.Wire wire;

    HttpErrorResponderContract(TextClient.Wire wire) {
        this.wire = wire;
        client = connect(errors, new HttpChunkAggregator(100));
    }

    final WireExchange connect(ChannelHandler... handlers) {
        return new WireExchange(wire, LIMITS, () -> new ChannelHandler[0], () -> handlers);
    }

    final void assertAnswered(int code) {
        String sent = client.sent();
        assertTrue(sent.startsWith("HTTP/1.1 " + code + " "), sent);
        assertEquals(wire == TextClient.Wire.HTTP_1, sent.contains("Connection: close\r\n"), sent);
        assertEquals(-1, sent.indexOf("HTTP/1.1", 1), sent);
        assertFalse(client.channel().isOpen());
        boolean isLocal = code == 500 || code == 503;
        Kind expected = code == 408 ? Kind.TIMED_OUT : isLocal ? Kind.LOCAL : Kind.PROTOCOL;
        CloseReason reason = client.channel().getCloseReason();
        assertEquals(expected, reason.kind(), reason::toString);
        assertTrue(reason.detail() != null || reason.cause() != null);
        assertEquals(List.of(), client.takeCaught());
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 1001})
    void shouldAnswerContentThatIsDeclaredTooLong(int length) {
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n");
        if (length < 1000) {
            client.receive("x".repeat(length)); // the aggregator ignores the header
        }
        assertAnswered(413);
    }

    @Test
    void shouldAnswerContentThatGrowsTooLong() {
        client.receive(POST);
        client.receive(CHUNK);
        assertTrue(client.channel().isOpen());
        client.receive(CHUNK);
        assertAnswered(413);
    }

    @Test
    void shouldAnswerContentThatGrowsBeyondTheLimits() {
        HttpErrorResponder alone = new HttpErrorResponder();
        WireExchange streaming = connect(alone);
        streaming.receive(POST);
        streaming.receive(CHUNK.repeat(20));
        assertTrue(streaming.sent().startsWith("HTTP/1.1 413 "));
        assertFalse(streaming.channel().isOpen());
    }

    @Test
    void shouldRefuseAHandlersAnswerToAFailedRequest() {
        client.transport().holdWrites();
        client.receive(POST + CHUNK + CHUNK);
        ChannelFuture late = client.answer("late");
        assertInstanceOf(ClosedChannelException.class, late.getCause());
        client.transport().completeWrites();
        assertAnswered(413);
    }

    @Test
    void shouldCloseInTheMiddleOfAnAnswer() {
        WireExchange streaming = connect(new HttpErrorResponder());
        streaming.receive(POST);
        HttpResponse head = response(200, "");
        head.setChunked(true);
        streaming.channel().write(head);
        streaming.chunk("a");
        streaming.receive(CHUNK.repeat(20));
        assertFalse(streaming.channel().isOpen());
        assertFalse(streaming.sent().contains("413"));
    }

    @Test
    void shouldOnlyCloseIfTheRequestIsAlreadyAnswered() {
        WireExchange early = connect(new HttpErrorResponder());
        early.receive(POST);
        early.channel().write(response(200, "early"));
        early.sent();
        early.receive(CHUNK.repeat(20));
        assertEquals("", early.sent());
        assertFalse(early.channel().isOpen());
    }

    @Test
    void shouldAnswerOnce() {
        client.transport().holdWrites();
        client.receive(POST + CHUNK + CHUNK);
        Channels.fireExceptionCaught(client.channel(), new MalformedHttpMessageException("another"));
        errors.answer(HttpResponseStatus.INTERNAL_SERVER_ERROR);
        client.transport().completeWrites();
        assertAnswered(413);
    }

    @Test
    void shouldPassOtherFailuresOnAndAnswerConfiguredOnes() {
        client.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        Channels.fireExceptionCaught(client.channel(), new IllegalStateException("a fault"));
        assertEquals(1, client.takeCaught().size());
        assertTrue(client.channel().isOpen());
        errors.answer(HttpResponseStatus.SERVICE_UNAVAILABLE);
        assertAnswered(503);
    }

    @Test
    void shouldSendNoContentToHead() {
        client.receive("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
        errors.answer(HttpResponseStatus.SERVICE_UNAVAILABLE);
        assertTrue(client.sent().endsWith("\r\n\r\n"));
    }
}
