package org.freshet.handler.codec.http.server;

/** The same handlers on the streams of HTTP/2. */
class HttpContentCodingOverHttp2Test extends HttpContentCodingContract {
    HttpContentCodingOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
