package org.freshet.handler.codec.http.server;

/** The same handler on HTTP/2 streams. */
class HttpContinueHandlerOverHttp2Test extends HttpContinueHandlerContract {
    HttpContinueHandlerOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
