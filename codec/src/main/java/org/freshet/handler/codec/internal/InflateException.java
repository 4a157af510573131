package org.freshet.handler.codec.internal;

import org.freshet.internal.PeerCaused;

/**
 * An {@link InflatingStream} cannot continue. Handlers convert this to their protocol's own exception, so users never
 * see it.
 */
@SuppressWarnings("exports") // PeerCaused is only shared among Freshet's modules
public final class InflateException extends RuntimeException implements PeerCaused {
    /** The reason that a stream cannot continue. */
    public enum Reason {
        /** The format is violated, or a checksum does not match. */
        CORRUPT,
        /** A limit was exceeded: see {@link InflateLimits}. */
        TOO_LARGE,
        /** The stream needs a dictionary, and none or another one was given. */
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
