package org.freshet.handler.codec.http.server;

import static org.freshet.handler.codec.http.server.WireExchange.bytes;
import static org.freshet.handler.codec.http.server.WireExchange.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.MalformedHttpMessageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Malformed HTTP/1.1 input, and the order of answers. */
class HttpErrorResponderTest extends HttpErrorResponderContract {
    private static final String GET = "GET /%s HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String MALFORMED = "GET / HTTP/1.1\r\nHost : a\r\n\r\n";

    HttpErrorResponderTest() {
        super(TextClient.Wire.HTTP_1);
    }

    @ParameterizedTest
    @CsvSource({
        "400, 'GET /a b HTTP/1.1\r\n'",
        "400, 'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'",
        "413, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n'",
        "413, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n"
                + "01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890'",
        "414, 'GET /0123456789012345678901234567890123456789012345678901234567890123456789 HTTP/1.1\r\n'",
        "431, 'GET / HTTP/1.1\r\nX: 0123456789012345678901234567890123456789012345678901234567890123456789"
                + "0123456789012345678901234567890123456789012345678901234567890123456789\r\n\r\n'",
        "501, 'LONGMETHOD / HTTP/1.1\r\n\r\n'",
        "501, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'",
        "505, 'GET / HTTP/2.0\r\n\r\n'",
    })
    void shouldAnswerWithTheStatusOfTheFailure(int code, String request) {
        client.receive(request.replace("\\r\\n", "\r\n"));
        assertAnswered(code);
    }

    @Test
    void shouldAnswerMalformedContent() {
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\nno size\r\n");
        assertAnswered(400);
    }

    @Test
    void shouldWaitForEarlierAnswersAndAnswerNothingAfterwards() {
        client.receive(GET.formatted(1) + GET.formatted(2) + MALFORMED + GET.formatted(3));
        assertEquals(List.of("/1", "/2"), client.targets());
        assertEquals("", client.sent());
        client.answer("one");
        assertTrue(client.sent().endsWith("one"));
        client.answer("two");
        String sent = client.sent();
        assertTrue(sent.indexOf("two") < sent.indexOf("HTTP/1.1 400 "), sent);
        assertFalse(client.channel().isOpen());
        assertInstanceOf(ClosedChannelException.class, client.answer("three").getCause());
    }

    @Test
    void shouldWaitUntilTheAnswerBeforeIsComplete() {
        client.receive(GET.formatted(1) + MALFORMED);
        HttpResponse head = response(200, "");
        head.setChunked(true);
        client.channel().write(head);
        client.chunk("a");
        assertFalse(client.sent().contains("400"));
        client.channel().write(HttpChunk.LAST_CHUNK);
        assertTrue(client.sent().startsWith("0\r\n\r\nHTTP/1.1 400 "));
    }

    @Test
    void shouldWaitForAnswerContentWrittenAsBuffers() {
        client.receive(GET.formatted(1) + MALFORMED);
        HttpResponse head = response(200, "");
        HttpHeaders.setContentLength(head, 4);
        client.channel().write(head);
        assertFalse(client.sent().contains("400"));
        client.channel().write(bytes("file"));
        assertTrue(client.sent().startsWith("fileHTTP/1.1 400 "));
    }

    @Test
    void shouldAnswerMalformedInputOnce() {
        client.transport().holdWrites();
        client.receive(MALFORMED);
        Channels.fireExceptionCaught(client.channel(), new MalformedHttpMessageException("another"));
        errors.answer(HttpResponseStatus.INTERNAL_SERVER_ERROR);
        client.transport().completeWrites();
        assertAnswered(400);
    }

    /** A handler that answers 200 to everything would open a tunnel. */
    @Test
    void shouldAnswer405ToConnect() {
        client.receive("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\nbytes of a tunnel");
        assertEquals(List.of(), client.targets());
        assertAnswered(405);
    }

    @Test
    void shouldRefuseStatusesThatAreNotErrors() {
        assertThrows(IllegalArgumentException.class, () -> errors.answer(HttpResponseStatus.OK));
        assertThrows(
                IllegalStateException.class, () -> new HttpErrorResponder().answer(HttpResponseStatus.BAD_REQUEST));
    }

    @Test
    void shouldSendNoContentToAMalformedHead() {
        client.receive("HEAD / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n");
        assertTrue(client.sent().endsWith("\r\n\r\n"));
    }
}
