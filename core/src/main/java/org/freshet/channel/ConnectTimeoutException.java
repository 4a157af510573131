package org.freshet.channel;

import java.net.ConnectException;

/** Thrown when a connection is not established within the channel's {@code connectTimeoutMillis}. */
public class ConnectTimeoutException extends ConnectException {
    private static final long serialVersionUID = 1L;

    public ConnectTimeoutException(String message) {
        super(message);
    }

    public ConnectTimeoutException() {}
}
