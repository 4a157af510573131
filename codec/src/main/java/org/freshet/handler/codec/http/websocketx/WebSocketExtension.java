package org.freshet.handler.codec.http.websocketx;

/**
 * An extension negotiated for one connection: transforms data frames between the wire and the handlers. Control frames bypass
 * it.
 *
 * <p>If a connection has several extensions, the one named first in the answer is nearest to the handlers.
 */
public interface WebSocketExtension {
    /** The reserved bits that this extension uses in the first frame of a message: RSV1 is 4, RSV2 is 2, RSV3 is 1. */
    int rsv();

    /**
     * Undoes the peer's transformation of a received frame and clears the reserved bit. Gets all data frames in order,
     * including those of messages that the peer's extension left alone. I/O thread only.
     *
     * @return the frame for the handlers, which may be the same object
     * @throws MalformedWebSocketFrameException if the frame cannot be decoded; the connection is closed
     * @throws TooLongWebSocketFrameException if the message becomes too long; the connection is closed
     */
    WebSocketFrame decode(WebSocketFrame frame) throws Exception;

    /**
     * Transforms a written frame for the wire. Must not modify the argument, because it may be written to other channels at the
     * same time. Runs on the thread that writes. Calls for one connection do not overlap, except for whole messages
     * ({@link WebSocketFrame#isFinalFragment()} and not a continuation) if {@link #sharingKey()} is not null.
     *
     * @return the frame to send, which may be the same object
     */
    WebSocketFrame encode(WebSocketFrame frame) throws Exception;

    /**
     * A key for sharing encoded messages: {@link #encode} gives the same result for a whole message on all connections whose
     * extension has an equal key.
     *
     * @return null (the default) if the result depends on what this connection has sent before
     */
    default Object sharingKey() {
        return null;
    }

    /**
     * Releases the resources of this extension: the connection has ended, or has switched to another protocol. May be called
     * more than once, and while another thread is in {@link #encode}.
     */
    void release();
}
