package org.freshet.handler.codec.http.server;

/** The same handlers on the streams of HTTP/2. */
class SelectiveContentCompressorOverHttp2Test extends SelectiveContentCompressorContract {
    SelectiveContentCompressorOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
