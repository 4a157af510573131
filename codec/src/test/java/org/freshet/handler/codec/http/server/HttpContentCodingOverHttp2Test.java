package org.freshet.handler.codec.http.server;

/** The same handlers on HTTP/2 streams. */
class HttpContentCodingOverHttp2Test extends HttpContentCodingContract {
    HttpContentCodingOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
