package org.freshet.example.soak;

/** What a server offers, each on a port of its own. */
enum Service {
    ECHO,
    TLS_ECHO,
    /** HTTP/1.1, and HTTP/2 for clients that begin with it. */
    HTTP,
    WEB_SOCKET
}
