package org.freshet.handler.codec.http.server.route;

import org.freshet.handler.codec.http.HttpResponse;

/** Answers a request. It runs on an I/O thread, so it must not block; see {@link AsyncRequestFunction}. */
@FunctionalInterface
public interface RequestFunction {
    /**
     * Makes the response to a request. Several threads may call at the same time, one for each connection.
     *
     * @return a new, complete response, with its content and a final status (200 or above); anything else, null included, is
     *     answered with 500
     * @throws Exception is answered with the {@linkplain org.freshet.handler.codec.http.HttpFailure#suggestedStatus() status}
     *     of an {@link org.freshet.handler.codec.http.HttpFailure} such as {@link HttpStatusException}, and with 500 otherwise
     */
    HttpResponse apply(RoutedRequest request) throws Exception;
}
