package org.freshet.handler.codec.http.websocketx;

/**
 * The reason why received frames were rejected. The decoder that throws it has sent a close frame with {@link #closeCode()},
 * closes the channel once that is written, and decodes nothing more.
 */
public interface WebSocketFailure {
    /** The close code (RFC 6455, section 7.4), such as 1002 for a protocol error. */
    int closeCode();

    /** The error in words, suitable for a log. */
    String getMessage();
}
