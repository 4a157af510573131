package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.handler.codec.frame.CorruptedFrameException;

/** Thrown for bytes that are not a valid HTTP message, or that could be read as two different ones. */
public class MalformedHttpMessageException extends CorruptedFrameException implements HttpFailure {
    private static final long serialVersionUID = 1L;

    private final int status;

    /** Suggests {@code 400 Bad Request}. */
    public MalformedHttpMessageException(String message) {
        this(message, HttpResponseStatus.BAD_REQUEST);
    }

    public MalformedHttpMessageException(String message, HttpResponseStatus suggestedStatus) {
        super(message);
        status = Objects.requireNonNull(suggestedStatus, "suggestedStatus").getCode();
    }

    @Override
    public HttpResponseStatus suggestedStatus() {
        return HttpResponseStatus.valueOf(status);
    }
}
