package org.freshet.handler.codec.embedder;

import java.net.SocketAddress;

/** An end of a connection that is none. Equal to itself alone. */
final class EmbeddedSocketAddress extends SocketAddress {
    private static final long serialVersionUID = 1L;

    private final String name;

    EmbeddedSocketAddress(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }
}
