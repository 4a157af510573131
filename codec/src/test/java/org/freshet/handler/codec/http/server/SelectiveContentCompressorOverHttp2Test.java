package org.freshet.handler.codec.http.server;

/** The same handlers on HTTP/2 streams. */
class SelectiveContentCompressorOverHttp2Test extends SelectiveContentCompressorContract {
    SelectiveContentCompressorOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
