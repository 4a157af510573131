package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.handler.codec.frame.TooLongFrameException;

/** Thrown for a message that exceeds one of the {@link HttpLimits}. */
public class TooLongHttpMessageException extends TooLongFrameException implements HttpFailure {
    private static final long serialVersionUID = 1L;

    private final int status;

    public TooLongHttpMessageException(String message, HttpResponseStatus suggestedStatus) {
        super(message);
        status = Objects.requireNonNull(suggestedStatus, "suggestedStatus").getCode();
    }

    @Override
    public HttpResponseStatus suggestedStatus() {
        return HttpResponseStatus.valueOf(status);
    }
}
