package org.freshet.handler.ssl;

/** Whether a server asks its clients for certificates. */
public enum ClientAuth {
    /** Doesn't ask; the default. */
    NONE,

    /** Asks, but accepts clients without a certificate. A certificate that is not trusted still fails the handshake. */
    OPTIONAL,

    /** Rejects clients without a certificate. */
    REQUIRE
}
