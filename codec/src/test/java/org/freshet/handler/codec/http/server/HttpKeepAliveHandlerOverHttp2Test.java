package org.freshet.handler.codec.http.server;

/** The same handler on HTTP/2 streams. */
class HttpKeepAliveHandlerOverHttp2Test extends HttpKeepAliveHandlerContract {
    HttpKeepAliveHandlerOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
