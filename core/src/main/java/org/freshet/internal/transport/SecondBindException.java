package org.freshet.internal.transport;

import java.net.SocketAddress;
import java.nio.channels.AlreadyBoundException;

/** A channel that is bound was asked to bind. The request fails; the channel stays as it is. */
public final class SecondBindException extends AlreadyBoundException {
    private static final long serialVersionUID = 1L;

    private final String bound;

    /**
     * @param bound the channel's address; null while the first bind is under way
     */
    public SecondBindException(SocketAddress bound) {
        this.bound = bound == null ? "an address by a bind that is under way" : bound.toString();
    }

    @Override
    public String getMessage() {
        return "already bound to " + bound + ": a channel is bound once, open another one for another address";
    }
}
