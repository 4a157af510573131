package org.freshet.handler.codec.http.server;

/** The handlers behind a codec of HTTP/1.1. */
class HttpContentCodingOverHttp1Test extends HttpContentCodingContract {
    HttpContentCodingOverHttp1Test() {
        super(TextClient.Wire.HTTP_1);
    }
}
