package org.freshet.handler.codec.http2;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandler;

/**
 * The client's side of an HTTP/2 connection (RFC 9113): the last handler of the connection's pipeline, behind TLS if there is.
 * Requests are sent on streams of their own, which {@link Http2StreamChannelFactory} makes.
 *
 * <p>One for each connection.
 */
@ChannelHandler.Borrower
public final class Http2ClientHandler extends Http2ConnectionHandler {
    /** As the other constructor, with {@link Http2Settings#defaults()}. */
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
