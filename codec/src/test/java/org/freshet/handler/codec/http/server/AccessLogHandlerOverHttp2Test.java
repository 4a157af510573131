package org.freshet.handler.codec.http.server;

/** The same handlers on the streams of HTTP/2. */
class AccessLogHandlerOverHttp2Test extends AccessLogHandlerContract {
    AccessLogHandlerOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
