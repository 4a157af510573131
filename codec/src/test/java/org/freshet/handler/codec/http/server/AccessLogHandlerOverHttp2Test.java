package org.freshet.handler.codec.http.server;

/** The same handlers on HTTP/2 streams. */
class AccessLogHandlerOverHttp2Test extends AccessLogHandlerContract {
    AccessLogHandlerOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
