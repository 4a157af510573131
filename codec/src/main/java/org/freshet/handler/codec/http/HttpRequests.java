package org.freshet.handler.codec.http;

import org.freshet.handler.codec.http.internal.RequestTarget;

/** Answers questions about requests that take more than one header. Stateless; any thread. */
public final class HttpRequests {
    private HttpRequests() {}

    /**
     * Returns the host that a request is for, including the port if there is one. An absolute target, or the target of
     * {@code CONNECT}, takes precedence over {@code Host} (RFC 9112 3.2.2).
     *
     * @return as it was sent; null if the request has neither, or an empty {@code Host}
     */
    public static String authority(HttpRequest request) {
        String target = request.getUri();
        if (HttpMethod.CONNECT.equals(request.getMethod())) {
            return target;
        }
        int from = RequestTarget.startOfAuthority(target);
        String authority = from < 0
                ? request.headers().get(HttpHeaders.Names.HOST)
                : target.substring(from, RequestTarget.endOfAuthority(target, from));
        return authority == null || authority.isEmpty() ? null : authority;
    }
}
