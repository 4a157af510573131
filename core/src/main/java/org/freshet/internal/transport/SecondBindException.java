package org.freshet.internal.transport;

import java.net.SocketAddress;
import java.nio.channels.AlreadyBoundException;

/** A bound channel was asked to bind. The request fails; the channel is not affected. */
public final class SecondBindException extends AlreadyBoundException {
    private static final long serialVersionUID = 1L;

    private final String bound;

    /**
     * @param bound the channel's address; null while the first bind is in progress
     */
    public SecondBindException(SocketAddress bound) {
        this.bound = bound == null ? "an address (the bind is in progress)" : bound.toString();
    }

    @Override
    public String getMessage() {
        return "already bound to " + bound
                + ": a channel can be bound only once; open another channel for another address";
    }
}
