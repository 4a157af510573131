package org.freshet.handler.codec.http.server.route;

import org.freshet.handler.codec.http.HttpMethod;

/**
 * A function and the requests that it answers. Immutable; any thread may use it.
 *
 * @param method null for every method
 * @param template null for every path
 * @param function null if the function is asynchronous
 * @param async null if the function isn't asynchronous
 */
record Route(HttpMethod method, PathTemplate template, RequestFunction function, AsyncRequestFunction async) {
    static Route ofAll(RequestFunction function, AsyncRequestFunction async) {
        return new Route(null, null, function, async);
    }

    @Override
    public String toString() {
        return method + " " + template;
    }
}
