package org.freshet.handler.codec.http.server.route;

import org.freshet.handler.codec.http.HttpResponse;

/** Answers a request. Runs on an I/O thread, so it must not block; see {@link AsyncRequestFunction}. */
@FunctionalInterface
public interface RequestFunction {
    /**
     * Creates the response to a request. Several threads may call this at the same time, for different connections.
     *
     * @return a new, complete response, with its content and a final status (200 or above); anything else, including
     *     null, is answered with 500
     * @throws Exception an {@link org.freshet.handler.codec.http.HttpFailure} such as {@link HttpStatusException} is
     *     answered with its {@linkplain org.freshet.handler.codec.http.HttpFailure#suggestedStatus() status}, anything
     *     else with 500
     */
    HttpResponse apply(RoutedRequest request) throws Exception;
}
