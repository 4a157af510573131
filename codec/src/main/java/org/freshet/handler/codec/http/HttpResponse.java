package org.freshet.handler.codec.http;

/** A response. */
public interface HttpResponse extends HttpMessage {
    HttpResponseStatus getStatus();

    /** @throws NullPointerException if the status is null */
    void setStatus(HttpResponseStatus status);
}
