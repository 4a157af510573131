package org.freshet.handler.codec.http.websocketx;

/**
 * An extension of the protocol as it was agreed on for one connection: changes data frames between the wire and the handlers.
 * Control frames pass it by.
 *
 * <p>Of the extensions of a connection, the one named first in the answer is the nearest to the handlers.
 */
public interface WebSocketExtension {
    /** The reserved bits that this extension uses in the first frame of a message: RSV1 is 4, RSV2 is 2, RSV3 is 1. */
    int rsv();

    /**
     * Undoes for a received frame what the peer's extension did, and clears the bit. The frames of a message come in their
     * order, and with them those of messages that the peer's extension left alone. I/O thread only.
     *
     * @return the frame for the handlers, which may be the same object
     * @throws MalformedWebSocketFrameException if that is not possible; the connection is closed
     * @throws TooLongWebSocketFrameException if a message becomes too long; the connection is closed
     */
    WebSocketFrame decode(WebSocketFrame frame) throws Exception;

    /**
     * Makes of a written frame what is sent. The argument is not changed, for it may be written to other channels at the same
     * time. Runs on the thread that writes; calls for one connection do not overlap, except for whole messages ({@link
     * WebSocketFrame#isFinalFragment()} and not a continuation) where {@link #sharedForm()} is not null.
     *
     * @return the frame to send, which may be the same object
     */
    WebSocketFrame encode(WebSocketFrame frame) throws Exception;

    /**
     * What {@link #encode} makes of a whole message is the same for all connections whose extension has an equal key.
     *
     * @return null if it depends on what was sent before on this connection; by default so
     */
    default Object sharedForm() {
        return null;
    }

    /**
     * Releases what this extension holds: the connection has ended, or the protocol is another from here on. May be called more
     * than once, and while another thread is in {@link #encode}.
     */
    void release();
}
