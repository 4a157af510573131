package org.freshet.channel.socket.oio;

/**
 * The life of a connection. Any thread may change the phase, in one atomic step.
 *
 * <pre>
 *   OPEN --&gt; BOUND --&gt; CONNECTING --&gt; CONNECTED --&gt; OUTPUT_ENDED, OUTPUT_BROKEN or INPUT_ENDED --&gt; CLOSED
 *     |        |            |             |                                                      ^
 *     +--------+------------+-------------+------------------------------------------------------+
 *   (each may be left out; an accepted one starts CONNECTED)
 *   [ no I/O thread ]   [ I/O thread .................................................................. ]
 * </pre>
 */
enum ConnectionPhase {
    OPEN,
    BOUND,
    CONNECTING,
    CONNECTED,
    /** Connected; this side has shut its output down. */
    OUTPUT_ENDED,
    /** The peer has reset the connection, as a write has found out; what had arrived is read. */
    OUTPUT_BROKEN,
    /** Connected; the peer has shut its output down, and half-closure is allowed. */
    INPUT_ENDED,
    CLOSED;

    boolean isConnected() {
        return this == CONNECTED || this == OUTPUT_ENDED || this == OUTPUT_BROKEN || this == INPUT_ENDED;
    }

    boolean mayReceive() {
        return this == CONNECTED || this == OUTPUT_ENDED || this == OUTPUT_BROKEN;
    }
}
