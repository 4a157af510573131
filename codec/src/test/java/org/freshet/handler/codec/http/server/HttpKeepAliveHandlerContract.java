package org.freshet.handler.codec.http.server;

import static org.freshet.handler.codec.http.server.WireExchange.bytes;
import static org.freshet.handler.codec.http.server.WireExchange.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Behavior shared by HTTP/1.1 and HTTP/2. */
abstract class HttpKeepAliveHandlerContract {
    private static final String POST = "POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

    final WireExchange client;

    HttpKeepAliveHandlerContract(TextClient.Wire wire) {
        client = new WireExchange(wire, () -> new ChannelHandler[] {new HttpKeepAliveHandler(false)});
    }

    private static HttpResponse last(HttpResponse response) {
        response.headers().set("Connection", "x, CLOSE");
        return response;
    }

    @Test
    void shouldRefuseWritesAfterTheLastResponse() {
        client.receive(POST);
        client.transport().holdWrites();
        ChannelFuture written = client.channel().write(last(response(200, "bye")));
        ChannelFuture second = client.answer("late");
        assertInstanceOf(ClosedChannelException.class, second.getCause());
        client.takeReceived();
        client.receive("1\r\nx\r\n");
        assertEquals(0, client.takeReceived().size());
        assertTrue(client.channel().isOpen(), "the answer was not sent yet");
        client.transport().completeWrites();
        assertTrue(written.isSuccess());
        assertFalse(client.channel().isOpen());
        assertFalse(client.sent().contains("late"));
    }

    @Test
    void shouldCloseAfterTheLastChunkOfTheLastResponse() {
        client.receive(POST);
        HttpResponse head = last(response(200, ""));
        head.setChunked(true);
        client.channel().write(head);
        client.chunk("a");
        assertTrue(client.channel().isOpen());
        client.takeReceived();
        client.receive("1\r\nx\r\n");
        assertEquals(1, client.takeReceived().size(), "the content is still accepted");
        client.channel().write(HttpChunk.LAST_CHUNK);
        assertFalse(client.channel().isOpen());
    }

    @Test
    void shouldCloseAfterContentWrittenAsBuffers() {
        client.receive(POST);
        HttpResponse head = last(response(200, ""));
        HttpHeaders.setContentLength(head, 10);
        client.channel().write(head);
        client.channel().write(bytes("01234"));
        assertTrue(client.channel().isOpen());
        client.channel().write(bytes("56789"));
        assertFalse(client.channel().isOpen());
        assertTrue(client.sent().endsWith("\r\n\r\n0123456789"));
    }

    @ParameterizedTest
    @CsvSource({"GET,200,four,4", "GET,200,'',0", "HEAD,200,'',", "GET,304,'',"})
    void shouldAddTheLengthOfCompleteContent(String method, int status, String content, String length) {
        client.receive(method + " / HTTP/1.1\r\nHost: a\r\n\r\n");
        client.channel().write(response(status, content));
        String sent = client.sent();
        assertEquals(length, Connection.header(sent, "Content-Length"));
        assertEquals(content, Connection.content(sent));
        assertTrue(client.client.takesRequests());
    }

    @Test
    void shouldCloseAfterRefusingAnIncompleteRequest() {
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nabc");
        client.channel().write(response(401, ""));
        assertFalse(client.channel().isOpen());
    }

    @Test
    void shouldNotCloseAfterAnsweringAnIncompleteRequest() {
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nabc");
        client.channel().write(response(200, ""));
        assertTrue(client.channel().isOpen());
        client.takeReceived();
        client.receive("x");
        assertEquals(1, client.takeReceived().size());
    }

    @Test
    void shouldCloseIfTheClientWaitsToContinueAndIsAnsweredInstead() {
        String waiting = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n";
        client.receive(waiting);
        client.channel().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        client.receive("abc");
        client.answer("ok");
        assertTrue(client.client.takesRequests());
        client.receive(waiting);
        client.answer("no reason to close");
        assertFalse(client.channel().isOpen());
    }

    @Test
    void shouldNotCloseForAResponseThatCannotBeSent() {
        client.receive(POST);
        HttpResponse bad = last(response(200, "x"));
        bad.setStatus(new HttpResponseStatus(7, "seven"));
        assertInstanceOf(
                IllegalArgumentException.class, client.channel().write(bad).getCause());
        assertTrue(client.channel().isOpen());
        client.channel().write(last(response(200, "second try")));
        assertFalse(client.channel().isOpen());
        assertTrue(client.sent().endsWith("second try"));
    }
}
