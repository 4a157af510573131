package org.freshet.channel;

import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;

/** A host could not be connected to because its name has no address. Unlike the JDK's exception, it names the host. */
public final class UnresolvedHostException extends UnresolvedAddressException {
    private static final long serialVersionUID = 1L;

    private final String message;

    /**
     * @param target unresolved
     * @param cause what the resolver said; may be null
     */
    public UnresolvedHostException(InetSocketAddress target, Throwable cause) {
        message = "unresolved address: " + target.getHostString() + ":" + target.getPort();
        initCause(cause);
    }

    @Override
    public String getMessage() {
        return message;
    }
}
