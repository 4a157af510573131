package org.freshet.handler.timeout;

/** What did not happen for a while. */
public enum IdleState {
    /** Nothing was received. */
    READER_IDLE,

    /** Nothing was sent. */
    WRITER_IDLE,

    /** Nothing was either received or sent. */
    ALL_IDLE
}
