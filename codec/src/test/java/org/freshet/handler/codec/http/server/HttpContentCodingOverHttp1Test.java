package org.freshet.handler.codec.http.server;

/** The handlers after an HTTP/1.1 codec. */
class HttpContentCodingOverHttp1Test extends HttpContentCodingContract {
    HttpContentCodingOverHttp1Test() {
        super(TextClient.Wire.HTTP_1);
    }
}
