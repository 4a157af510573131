package org.freshet.handler.codec.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Versions, and the order of answers on an HTTP/1.1 connection. */
class HttpContinueHandlerTest extends HttpContinueHandlerContract {
    HttpContinueHandlerTest() {
        super(TextClient.Wire.HTTP_1);
    }

    @Test
    void shouldWaitForTheAnswersToTheRequestsBefore() {
        WireExchange client = client(() -> new HttpContinueHandler());
        client.receive("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n" + post("100-continue", 3));
        assertEquals("", client.sent());
        client.answer("one");
        assertTrue(client.sent().endsWith("one" + GO_ON));
    }

    @Test
    void shouldIgnoreExpectationsOfAVersion10Client() {
        WireExchange client = client(() -> new HttpContinueHandler());
        client.receive("POST /up HTTP/1.0\r\nExpect: 200-ok\r\nContent-Length: 3\r\n\r\nabc");
        client.receive("");
        assertEquals("", client.sent());
        assertEquals(List.of("/up"), client.targets());
    }

    @Test
    void shouldRefuseBadArguments() {
        assertThrows(IllegalArgumentException.class, () -> new HttpContinueHandler(-1));
    }
}
