package org.freshet.handler.execution;

import org.freshet.handler.timeout.TimeoutException;

/** Reports a request that was not answered in time; raised by a {@link PipelinedExecutionHandler}. */
public class AnswerTimeoutException extends TimeoutException {
    private static final long serialVersionUID = 1L;

    public AnswerTimeoutException(String message) {
        super(message);
    }
}
