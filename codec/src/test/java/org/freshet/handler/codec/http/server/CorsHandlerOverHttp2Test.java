package org.freshet.handler.codec.http.server;

/** The same handlers on HTTP/2 streams. */
class CorsHandlerOverHttp2Test extends CorsHandlerContract {
    CorsHandlerOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
