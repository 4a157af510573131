package org.freshet.logging;

/** How much a message matters, least first. */
public enum InternalLogLevel {
    /** Detail for whoever hunts a fault; off in production. */
    DEBUG,

    /** Something happened that an operator may want to know. */
    INFO,

    /** Freshet goes on, but somebody should look. */
    WARN,

    /** Work was lost or a channel had to be given up. */
    ERROR
}
