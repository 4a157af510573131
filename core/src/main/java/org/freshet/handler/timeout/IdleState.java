package org.freshet.handler.timeout;

/** The kind of activity that did not happen for some time. */
public enum IdleState {
    /** Nothing was received. */
    READER_IDLE,

    /** Nothing was sent. */
    WRITER_IDLE,

    /** Nothing was received or sent. */
    ALL_IDLE
}
