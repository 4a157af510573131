package org.freshet.handler.codec.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The same handler on the streams of HTTP/2. */
class HttpTimeoutHandlerOverHttp2Test extends HttpTimeoutHandlerContract {
    HttpTimeoutHandlerOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }

    @Test
    void shouldLeaveNoTimeOutBehindAStreamThatHasEnded() {
        client.receive(GET);
        client.answer("ok");
        assertEquals(0, timer.pendingTimeouts());
    }
}
