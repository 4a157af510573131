package org.freshet.handler.codec.http.server.files;

import org.freshet.handler.codec.http.server.TextClient;

/** The same handlers on HTTP/2 streams. */
class StaticFileHandlerOverHttp2Test extends StaticFileHandlerContract {
    StaticFileHandlerOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }
}
