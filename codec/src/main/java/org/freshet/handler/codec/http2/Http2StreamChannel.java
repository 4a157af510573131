package org.freshet.handler.codec.http2;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;

/**
 * A stream of an HTTP/2 connection: it carries one request and its answer. {@link #getParent} is the connection.
 *
 * <p>Its messages are those of HTTP/1.1: {@code HttpRequest}, {@code HttpResponse}, {@code HttpChunk},
 * {@code HttpChunkTrailer}. It closes when both sides have sent their message, and the connection stays open. Closing it
 * earlier resets the stream. Its addresses are the connection's; for TLS, look at the parent.
 */
public interface Http2StreamChannel extends Channel {
    /** The stream's number; 0 until a client has sent a request on it. */
    int getStreamId();

    /** The scheme of the request: {@code https} or {@code http}. */
    String getScheme();

    /** The priority set here or, on a server, stated by the client; otherwise {@link Http2Priority#DEFAULT}. */
    Http2Priority getPriority();

    /**
     * Sets which answers go first on the connection. On a server this overrides the client's wish. On a client it becomes the
     * {@code Priority} field of the request, unless the request already has one; after the request it is sent in a frame of its
     * own (PRIORITY_UPDATE).
     */
    void setPriority(Http2Priority priority);

    /**
     * How many octets of content the peer's flow control lets this stream send now, not counting the connection's window.
     * Negative after the peer has made its windows smaller, 0 before a client's stream is open. Exact on the I/O thread; other
     * threads may read an earlier value.
     */
    int getSendWindow();

    /**
     * How many octets of content the peer may send on this stream before handlers have read more, not counting the connection's
     * window. 0 before a client's stream is open. Exact on the I/O thread; other threads may read an earlier value.
     */
    int getReceiveWindow();

    /**
     * Ends the stream with this error, and closes the channel. {@link #close} does the same with {@link Http2Error#CANCEL}.
     * Writes that were not sent yet fail.
     *
     * @return the close future
     */
    ChannelFuture reset(Http2Error error);
}
