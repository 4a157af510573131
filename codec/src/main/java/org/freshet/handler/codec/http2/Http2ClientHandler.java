package org.freshet.handler.codec.http2;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandler;

/**
 * The client's side of an HTTP/2 connection (RFC 9113). Add it as the last handler of the connection's pipeline, after TLS if
 * you use it. {@link Http2StreamChannelFactory} opens a stream for each request.
 *
 * <p>Use one handler per connection.
 */
@ChannelHandler.Borrower
public final class Http2ClientHandler extends Http2ConnectionHandler {
    /** Uses {@link Http2Settings#defaults()}. */
    public Http2ClientHandler() {
        this(Http2Settings.defaults());
    }

    public Http2ClientHandler(Http2Settings settings) {
        super(settings, null, Http2ServerHandler.PREFACE);
    }

    @Override
    void received(Connection to, ChannelBuffer in) {
        to.read(in);
    }
}
