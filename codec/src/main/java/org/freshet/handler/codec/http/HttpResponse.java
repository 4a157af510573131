package org.freshet.handler.codec.http;

/** What a server answers. */
public interface HttpResponse extends HttpMessage {
    HttpResponseStatus getStatus();

    /** @throws NullPointerException if the status is null */
    void setStatus(HttpResponseStatus status);
}
