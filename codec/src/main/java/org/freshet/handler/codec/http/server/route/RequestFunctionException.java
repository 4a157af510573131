package org.freshet.handler.codec.http.server.route;

import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Passed to {@code exceptionCaught} of the handlers after a {@link RequestHandler} when a function has failed. The
 * request has been answered with 500, and its connection is being closed. The message names the request; the cause is
 * the exception of the function.
 */
public final class RequestFunctionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RequestFunctionException(RoutedRequest request, String what, Throwable cause) {
        super(request.method() + " " + HeaderSyntax.printable(request.path()) + ": " + what, cause);
    }
}
