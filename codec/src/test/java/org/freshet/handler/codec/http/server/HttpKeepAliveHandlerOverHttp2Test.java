package org.freshet.handler.codec.http.server;

/** The same handler on the streams of HTTP/2. */
class HttpKeepAliveHandlerOverHttp2Test extends HttpKeepAliveHandlerContract {
    HttpKeepAliveHandlerOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
