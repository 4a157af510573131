package org.freshet.microbench.compare.server;

import java.util.Locale;

/** What a server does with what it receives. */
public enum Role {
    /** Every byte goes back as it came, through a pipeline of one handler. */
    ECHO,
    /** Each connection joins one group and is greeted; each {@code size} bytes go to the whole group. */
    FANOUT,
    /** Each message goes to the connection's partner, which has another loop; {@code RelayDialect} says how two become partners. */
    RELAY,
    /** As {@link #ECHO}, but a thread that is no loop writes the answer. */
    HANDED,
    /** As {@link #ECHO}, behind a TLS handler with an engine of the JDK's. */
    TLS,
    /** Every line goes back, through a frame decoder and a string codec. Servers without such handlers send back the bytes. */
    LINES,
    /** Each object is answered with another one, as {@code ObjectDialect} has it; nothing else is ever deserialized. */
    OBJECTS,
    /** Each request of {@code size} bytes is answered with two, as {@code CallDigest} has it. */
    CALLS,
    /** Each delimited text is answered with a {@code FrameReport}. */
    REPORTS,
    /** Each {@code SlowRequest} is answered after it has blocked for less than {@code block} ms, in a {@code way}. */
    ORDERED,
    /** Each request is answered with a file of {@code size} bytes, as {@code FileDialect} has it, by the system's copying. */
    FILES,
    /**
     * Each request is answered with the content of {@code HttpDialect}, through the library's HTTP codec. If each brings {@code
     * body} bytes, it is answered with their number when all of them have come.
     */
    HTTP,
    /**
     * As {@link #HTTP}, over HTTP/2 with prior knowledge; content of {@code answer} bytes answers requests that bring none.
     */
    H2,
    /** Each WebSocket message goes back, after a handshake of RFC 6455; with {@code h2}, on a stream of HTTP/2 (RFC 8441). */
    WEBSOCKET;

    /** The role's name on a command line. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role of that name. */
    public static Role of(String id) {
        return valueOf(id.toUpperCase(Locale.ROOT));
    }
}
