package org.freshet.handler.codec.http.multipart;

import java.io.IOException;

/** Thrown for content that is larger than allowed, as opposed to content that could not be stored. */
final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLargeException(String message) {
        super(message);
    }
}
