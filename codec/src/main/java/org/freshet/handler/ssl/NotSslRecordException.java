package org.freshet.handler.ssl;

import javax.net.ssl.SSLException;

/** The peer sent something that is not a TLS record, usually plain text to a TLS port. Nothing after it can be read. */
public class NotSslRecordException extends SSLException {
    private static final long serialVersionUID = 1L;

    public NotSslRecordException() {
        super("");
    }

    public NotSslRecordException(String message) {
        super(message);
    }

    public NotSslRecordException(Throwable cause) {
        super(cause);
    }

    public NotSslRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
