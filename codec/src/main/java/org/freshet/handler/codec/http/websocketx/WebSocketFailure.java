package org.freshet.handler.codec.http.websocketx;

/**
 * Why received frames were refused. The decoder that throws one has sent a close frame with {@link #closeCode()}; it closes
 * the channel once that is written, and decodes nothing more.
 */
public interface WebSocketFailure {
    /** The close code of RFC 6455, section 7.4, such as 1002 for a protocol error. */
    int closeCode();

    /** What was wrong, fit for a log. */
    String getMessage();
}
