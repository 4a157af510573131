package org.freshet.handler.codec.internal;

import org.freshet.internal.PeerCaused;

/**
 * An {@link InflatingStream} cannot continue. Handlers convert it to the exception of their own protocol, so users never see
 * it.
 */
@SuppressWarnings("exports") // PeerCaused is between Freshet's modules
public final class InflateException extends RuntimeException implements PeerCaused {
    /** What is wrong with the stream. */
    public enum Reason {
        /** Not what the format allows, or a checksum that does not match. */
        CORRUPT,
        /** A limit was exceeded: see {@link InflateLimits}. */
        TOO_LARGE,
        /** No dictionary or another one was given. */
        DICTIONARY,
        /** The input ended before the stream did. */
        TRUNCATED
    }

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    InflateException(Reason reason, String message) {
        this(reason, message, null);
    }

    InflateException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
