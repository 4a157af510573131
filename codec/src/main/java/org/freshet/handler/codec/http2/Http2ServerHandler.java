package org.freshet.handler.codec.http2;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipelineFactory;

/**
 * The server's side of an HTTP/2 connection (RFC 9113): the last handler of the connection's pipeline, behind TLS if there is.
 * Each request gets a channel of its own, an {@link Http2StreamChannel}, with a pipeline from the factory; handlers made for
 * HTTP/1.1 work there as they are.
 *
 * <p>Put a {@link org.freshet.handler.codec.http.server.LingeringCloseHandler} in front of it: clients send WINDOW_UPDATE unasked, and if you
 * close the channel while one is unread, the system resets the connection and the client may lose the end of the last answers.
 *
 * <p>For a port that speaks HTTP/1.1 too, use {@link HttpServerChooser}. One for each connection.
 */
@ChannelHandler.Borrower
public final class Http2ServerHandler extends Http2ConnectionHandler {
    static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private int prefaceSeen;

    /** As the other constructor, with {@link Http2Settings#defaults()}. */
    public Http2ServerHandler(ChannelPipelineFactory requests) {
        this(requests, Http2Settings.defaults());
    }

    /** @param requests makes the pipeline of each request, on the connection's I/O thread; one that it cannot make is refused */
    public Http2ServerHandler(ChannelPipelineFactory requests, Http2Settings settings) {
        super(settings, Objects.requireNonNull(requests, "requests"), new byte[0]);
    }

    @Override
    void received(Connection to, ChannelBuffer in) {
        while (prefaceSeen < PREFACE.length && in.readable()) {
            if (in.readByte() != PREFACE[prefaceSeen++]) {
                in.skipBytes(in.readableBytes());
                to.end(new Http2Exception(Http2Error.PROTOCOL_ERROR, "a client does not begin as HTTP/2 does"));
            }
        }
        if (in.readable()) {
            to.read(in);
        }
    }
}
