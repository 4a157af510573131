package org.freshet.handler.codec.http.server.route;

import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpResponseStatus;

/**
 * Ends a function with an error response. The message is meant for logs and for an
 * {@link org.freshet.handler.codec.http.server.ErrorPage}. By default, the client sees only the status, and nothing is
 * logged.
 *
 * <pre>{@code
 * RequestFunction user = request -> {
 *     String name = names.get(request.pathParameter("id"));
 *     if (name == null) {
 *         throw new HttpStatusException(HttpResponseStatus.NOT_FOUND, "no such user");
 *     }
 *     return HttpResponses.text(name);
 * };
 * }</pre>
 */
public final class HttpStatusException extends RuntimeException implements HttpFailure {
    private static final long serialVersionUID = 1L;

    private final int status;

    /** The value of Allow; null for none. */
    private final String allow;

    /** @throws IllegalArgumentException if the status is not in 400..599 */
    public HttpStatusException(HttpResponseStatus status, String message) {
        this(status, message, (Throwable) null);
    }

    /**
     * @param cause null if no other exception caused this one
     * @throws IllegalArgumentException if the status is not in 400..599
     */
    public HttpStatusException(HttpResponseStatus status, String message, Throwable cause) {
        super(message, cause);
        if (!isError(status)) {
            throw new IllegalArgumentException("status not in 400..599: " + status);
        }
        this.status = status.getCode();
        this.allow = null;
    }

    /** Has no stack trace: clients can cause these at will, and the place in the code is of no interest. */
    private HttpStatusException(HttpResponseStatus status, String message, String allow) {
        super(message, null, false, false);
        this.status = status.getCode();
        this.allow = allow;
    }

    static HttpStatusException badRequest(String message) {
        return new HttpStatusException(HttpResponseStatus.BAD_REQUEST, message, (String) null);
    }

    static HttpStatusException notFound() {
        return new HttpStatusException(HttpResponseStatus.NOT_FOUND, "no route has this path", (String) null);
    }

    static HttpStatusException notAllowed(String allow) {
        return new HttpStatusException(
                HttpResponseStatus.METHOD_NOT_ALLOWED, "no route of this path has this method, only " + allow, allow);
    }

    /** For a handler whose single function answers any other method and target. */
    static HttpStatusException connectNotAllowed() {
        return new HttpStatusException(
                HttpResponseStatus.METHOD_NOT_ALLOWED, "CONNECT to a server that is not a proxy", "");
    }

    static boolean isError(HttpResponseStatus status) {
        return status.getCode() >= 400 && status.getCode() <= 599;
    }

    /** The status of the response. */
    @Override
    public HttpResponseStatus suggestedStatus() {
        return HttpResponseStatus.valueOf(status);
    }

    String allow() {
        return allow;
    }
}
