package org.freshet.handler.codec.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The same handler on HTTP/2 streams. */
class HttpTimeoutHandlerOverHttp2Test extends HttpTimeoutHandlerContract {
    HttpTimeoutHandlerOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }

    @Test
    void shouldLeaveNoTimeOutAfterTheEndOfAStream() {
        client.receive(GET);
        client.answer("ok");
        assertEquals(0, timer.pendingTimeouts());
    }
}
