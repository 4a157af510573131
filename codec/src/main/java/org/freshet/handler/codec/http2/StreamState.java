package org.freshet.handler.codec.http2;

/**
 * The state of a stream (RFC 9113 5.1). No stream is ever reserved, because push is disabled.
 *
 * <pre>
 *   IDLE ---&gt; OPEN ---&gt; HALF_CLOSED_LOCAL ----&gt; CLOSED
 *               '-----&gt; HALF_CLOSED_REMOTE -----&gt; '
 * </pre>
 */
enum StreamState {
    /** Has no number yet, or the head of our request isn't written. */
    IDLE,
    OPEN,
    /** We have ended our message. */
    HALF_CLOSED_LOCAL,
    /** The peer has ended its message. */
    HALF_CLOSED_REMOTE,
    CLOSED;

    boolean isRemoteOpen() {
        return this == OPEN || this == HALF_CLOSED_LOCAL;
    }

    boolean isLocalOpen() {
        return this == OPEN || this == HALF_CLOSED_REMOTE;
    }

    StreamState afterLocalEnd() {
        return this == OPEN ? HALF_CLOSED_LOCAL : CLOSED;
    }

    StreamState afterRemoteEnd() {
        return this == OPEN ? HALF_CLOSED_REMOTE : CLOSED;
    }
}
