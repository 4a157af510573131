package org.freshet.handler.codec.http.server;

/** The same handlers on the streams of HTTP/2. */
class CorsHandlerOverHttp2Test extends CorsHandlerContract {
    CorsHandlerOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
