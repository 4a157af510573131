package org.freshet.handler.ssl;

/** Whether a server asks its clients for certificates. */
public enum ClientAuth {
    /** Does not ask; the default. */
    NONE,

    /** Asks, and takes clients without one. A certificate that is not trusted fails the handshake all the same. */
    OPTIONAL,

    /** Refuses clients without one. */
    REQUIRE
}
