package org.freshet.handler.codec.embedder;

import java.net.SocketAddress;

/** The address of either end of an embedded channel. Equal only to itself. */
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
