package org.freshet.handler.codec.http;

import org.freshet.handler.codec.http.internal.RequestTarget;

/** What a request means where that takes more than one look. Stateless; any thread. */
public final class HttpRequests {
    private HttpRequests() {}

    /**
     * The host that a request is for, with the port if one is stated: that of an absolute target or of {@code CONNECT}, whatever
     * {@code Host} says (RFC 9112 3.2.2), else the value of {@code Host}.
     *
     * @return as it was sent; null if the request does not say, or has an empty {@code Host}
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
