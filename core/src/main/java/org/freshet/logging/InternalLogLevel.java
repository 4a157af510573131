package org.freshet.logging;

/** The importance of a message, least first. */
public enum InternalLogLevel {
    /** Detail for debugging; off in production. */
    DEBUG,

    /** Something happened that an operator may want to know. */
    INFO,

    /** Freshet continues, but an operator should look into it. */
    WARN,

    /** Work was lost or a channel had to be closed. */
    ERROR
}
