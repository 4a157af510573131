package org.freshet.handler.codec.compression;

import org.freshet.internal.PeerCaused;

/** Data cannot be inflated: corrupt, truncated, made with another dictionary, or larger than the limit. */
@SuppressWarnings("exports") // PeerCaused is only shared among Freshet's modules
public class CompressionException extends RuntimeException implements PeerCaused {
    private static final long serialVersionUID = 1L;

    public CompressionException() {}

    public CompressionException(String message) {
        super(message);
    }

    public CompressionException(String message, Throwable cause) {
        super(message, cause);
    }

    public CompressionException(Throwable cause) {
        super(cause);
    }
}
