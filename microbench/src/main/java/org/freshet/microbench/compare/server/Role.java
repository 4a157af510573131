package org.freshet.microbench.compare.server;

import java.util.Locale;

/** The service of a server. */
public enum Role {
    /** Every byte is sent back, through a pipeline with one handler. */
    ECHO,
    /** Each connection joins one group and gets a greeting; every {@code size} bytes are sent to the whole group. */
    FANOUT,
    /** Each message goes to the connection's partner, on another loop; see {@code RelayDialect}. */
    RELAY,
    /** The same as {@link #ECHO}, but a thread outside the loops writes the answer. */
    HANDED,
    /** The same as {@link #ECHO}, but with a TLS handler and a JDK engine. */
    TLS,
    /**
     * Every line is sent back, through a frame decoder and a string codec. Servers without such handlers echo the
     * bytes.
     */
    LINES,
    /**
     * Each object is answered with another one, as defined by {@code ObjectDialect}; nothing else is ever deserialized.
     */
    OBJECTS,
    /** Each request of {@code size} bytes is answered with two, as defined by {@code CallDigest}. */
    CALLS,
    /** Each delimited text is answered with a {@code FrameReport}. */
    REPORTS,
    /** Each {@code SlowRequest} is answered after blocking for less than {@code block} ms, in a {@code way}. */
    ORDERED,
    /**
     * Each request is answered with a file of {@code size} bytes, as defined by {@code FileDialect}, copied by the
     * system.
     */
    FILES,
    /**
     * Each request is answered with the content of {@code HttpDialect}, through the library's HTTP codec. With
     * {@code body}, each is answered with the number of its content bytes, when all of them have arrived.
     */
    HTTP,
    /**
     * The same as {@link #HTTP}, over HTTP/2 with prior knowledge; requests without content are answered with
     * {@code answer} bytes.
     */
    H2,
    /**
     * Each WebSocket message is sent back, after an RFC 6455 handshake; with {@code h2}, on an HTTP/2 stream (RFC
     * 8441).
     */
    WEBSOCKET;

    /** The role's name on a command line. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the role with that name. */
    public static Role of(String id) {
        return valueOf(id.toUpperCase(Locale.ROOT));
    }
}
