package org.freshet.handler.codec.http2;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;

/**
 * A stream of an HTTP/2 connection, which carries one request and its answer; {@link #getParent} is the connection.
 *
 * <p>Its messages are those of HTTP/1.1: {@code HttpRequest}, {@code HttpResponse}, {@code HttpChunk}, {@code
 * HttpChunkTrailer}. It closes when both sides have sent their message, and the connection goes on. To close it before that
 * resets the stream. Addresses are the connection's; TLS is to be asked of the parent.
 */
public interface Http2StreamChannel extends Channel {
    /** The stream's number; 0 before a client has sent a request on it. */
    int getStreamId();

    /** How the request reached or reaches the server: {@code https} or {@code http}. */
    String getScheme();

    /** What was set here or, on a server, what the client asks for; else {@link Http2Priority#DEFAULT}. */
    Http2Priority getPriority();

    /**
     * Sets which answers go first on the connection. On a server this overrides what the client asks for. On a client it becomes the {@code
     * Priority} field of the request, unless that has one already; after the request it's sent in a frame of its own (PRIORITY_UPDATE).
     */
    void setPriority(Http2Priority priority);

    /**
     * How many octets of content the peer's flow control lets this stream send now, the connection's window aside. Less than 0 after the
     * peer has made its windows smaller, 0 before a client's stream is open. Exact on the I/O thread; other threads may read an earlier value.
     */
    int getSendWindow();

    /**
     * How many octets of content the peer may send on this stream before handlers have read more, the connection's window aside. 0 before a
     * client's stream is open. Exact on the I/O thread; other threads may read an earlier value.
     */
    int getReceiveWindow();

    /**
     * Ends the stream with this error, and closes the channel; {@link #close} is the same with {@link Http2Error#CANCEL}. What
     * was written and did not leave fails.
     *
     * @return the close future
     */
    ChannelFuture reset(Http2Error error);
}
