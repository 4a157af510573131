package org.freshet.channel.socket.oio;

/**
 * The life cycle of a connection. Any thread may change the phase, in one atomic step.
 *
 * <pre>
 *   OPEN --&gt; BOUND --&gt; CONNECTING --&gt; CONNECTED --&gt; OUTPUT_ENDED, OUTPUT_BROKEN or INPUT_ENDED --&gt; CLOSED
 *     |        |            |             |                                                      ^
 *     +--------+------------+-------------+------------------------------------------------------+
 *   (each may be skipped; an accepted connection starts CONNECTED)
 *   [ no I/O thread ]   [ I/O thread .................................................................. ]
 * </pre>
 */
enum ConnectionPhase {
    OPEN,
    BOUND,
    CONNECTING,
    CONNECTED,
    /** Connected; this side has shut down its output. */
    OUTPUT_ENDED,
    /** A write has found that the peer reset the connection; data that had arrived is still read. */
    OUTPUT_BROKEN,
    /** Connected; the peer has shut down its output, and half-closure is allowed. */
    INPUT_ENDED,
    CLOSED;

    boolean isConnected() {
        return this == CONNECTED || this == OUTPUT_ENDED || this == OUTPUT_BROKEN || this == INPUT_ENDED;
    }

    boolean mayReceive() {
        return this == CONNECTED || this == OUTPUT_ENDED || this == OUTPUT_BROKEN;
    }
}
