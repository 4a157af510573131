package org.freshet.handler.codec.http2;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipelineFactory;

/**
 * The server's side of an HTTP/2 connection (RFC 9113). Add it as the last handler of the connection's pipeline, after TLS if
 * you use it. Each request gets its own channel, an {@link Http2StreamChannel}, with a pipeline from the factory; handlers
 * written for HTTP/1.1 work there unchanged.
 *
 * <p>Add a {@link org.freshet.handler.codec.http.server.LingeringCloseHandler} before it. Clients send WINDOW_UPDATE unasked,
 * and if you close the channel while one is unread, the system resets the connection and the client may lose the end of the
 * last answers.
 *
 * <p>For a port that also accepts HTTP/1.1, use {@link HttpServerChooser}. Use one handler per connection.
 */
@ChannelHandler.Borrower
public final class Http2ServerHandler extends Http2ConnectionHandler {
    static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private int prefaceSeen;

    /** Uses {@link Http2Settings#defaults()}. */
    public Http2ServerHandler(ChannelPipelineFactory requests) {
        this(requests, Http2Settings.defaults());
    }

    /**
     * @param requests creates the pipeline of each request, on the connection's I/O thread; if it fails, the request is refused
     */
    public Http2ServerHandler(ChannelPipelineFactory requests, Http2Settings settings) {
        super(settings, Objects.requireNonNull(requests, "requests"), new byte[0]);
    }

    @Override
    void received(Connection to, ChannelBuffer in) {
        while (prefaceSeen < PREFACE.length && in.readable()) {
            if (in.readByte() != PREFACE[prefaceSeen++]) {
                to.end(new Http2Exception(
                        Http2Error.PROTOCOL_ERROR, "the client did not send the HTTP/2 connection preface"));
                return;
            }
        }
        to.read(in);
    }
}
