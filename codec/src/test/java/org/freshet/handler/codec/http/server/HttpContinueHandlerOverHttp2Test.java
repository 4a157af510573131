package org.freshet.handler.codec.http.server;

/** The same handler on the streams of HTTP/2. */
class HttpContinueHandlerOverHttp2Test extends HttpContinueHandlerContract {
    HttpContinueHandlerOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
