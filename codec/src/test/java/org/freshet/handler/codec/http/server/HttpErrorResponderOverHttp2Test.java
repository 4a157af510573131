package org.freshet.handler.codec.http.server;

/** The same handler on HTTP/2 streams. */
class HttpErrorResponderOverHttp2Test extends HttpErrorResponderContract {
    HttpErrorResponderOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
