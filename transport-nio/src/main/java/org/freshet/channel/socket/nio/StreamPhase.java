package org.freshet.channel.socket.nio;

/**
 * The life cycle of a {@link NioStreamChannel}, whose loop alone changes it.
 *
 * <pre>
 *   OPEN --&gt; BOUND --&gt; CONNECTING --&gt; CONNECTED --&gt; OUTPUT_ENDED or INPUT_ENDED --&gt; CLOSED
 *     |        |            |             |                                       ^
 *     +--------+------------+-------------+---------------------------------------+
 *   (each may be skipped; an accepted connection starts CONNECTED)
 * </pre>
 */
enum StreamPhase {
    OPEN,
    BOUND,
    CONNECTING,
    CONNECTED,
    /** Connected; this side has shut down its output. */
    OUTPUT_ENDED,
    /** Connected; the peer has shut down its output, and half-closure is allowed. */
    INPUT_ENDED,
    CLOSED;

    boolean isConnected() {
        return this == CONNECTED || this == OUTPUT_ENDED || this == INPUT_ENDED;
    }
}
