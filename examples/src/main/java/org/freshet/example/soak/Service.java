package org.freshet.example.soak;

/** The services of a server, each on its own port. */
enum Service {
    ECHO,
    TLS_ECHO,
    /** HTTP/1.1, and HTTP/2 for clients that start with it. */
    HTTP,
    WEB_SOCKET
}
