package org.freshet.handler.codec.http.server;

/** The same handler on the streams of HTTP/2. */
class HttpErrorResponderOverHttp2Test extends HttpErrorResponderContract {
    HttpErrorResponderOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
