package org.freshet.channel.socket.nio;

/**
 * The life of a {@link NioStreamChannel}, whose loop alone changes it.
 *
 * <pre>
 *   OPEN --&gt; BOUND --&gt; CONNECTING --&gt; CONNECTED --&gt; OUTPUT_ENDED or INPUT_ENDED --&gt; CLOSED
 *     |        |            |             |                                       ^
 *     +--------+------------+-------------+---------------------------------------+
 *   (each may be left out; an accepted one starts CONNECTED)
 * </pre>
 */
enum StreamPhase {
    OPEN,
    BOUND,
    CONNECTING,
    CONNECTED,
    /** Connected; this side has shut its output down. */
    OUTPUT_ENDED,
    /** Connected; the peer has shut its output down, and half-closure is allowed. */
    INPUT_ENDED,
    CLOSED;

    boolean isConnected() {
        return this == CONNECTED || this == OUTPUT_ENDED || this == INPUT_ENDED;
    }
}
