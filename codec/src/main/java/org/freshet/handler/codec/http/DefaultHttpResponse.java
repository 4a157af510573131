package org.freshet.handler.codec.http;

import java.util.Objects;

/** A response. */
public class DefaultHttpResponse extends DefaultHttpMessage implements HttpResponse {
    private HttpResponseStatus status;

    /** @throws NullPointerException if an argument is null */
    public DefaultHttpResponse(HttpVersion version, HttpResponseStatus status) {
        this(version, status, new DefaultHttpHeaders(true));
    }

    /**
     * Uses and keeps the given headers.
     *
     * @throws NullPointerException if an argument is null
     */
    public DefaultHttpResponse(HttpVersion version, HttpResponseStatus status, HttpHeaders headers) {
        super(version, headers);
        this.status = Objects.requireNonNull(status, "status");
    }

    @Override
    public HttpResponseStatus getStatus() {
        return status;
    }

    @Override
    public void setStatus(HttpResponseStatus status) {
        this.status = Objects.requireNonNull(status, "status");
    }

    @Override
    long startLineLength() {
        return status.getReasonPhrase().length();
    }

    @Override
    public String toString() {
        return MessageText.of(this, getProtocolVersion() + " " + status);
    }
}
