package org.freshet.channel;

import java.net.ConnectException;

/** A connection was not established within the channel's {@code connectTimeoutMillis}. */
public class ConnectTimeoutException extends ConnectException {
    private static final long serialVersionUID = 1L;

    public ConnectTimeoutException(String message) {
        super(message);
    }

    public ConnectTimeoutException() {}
}
