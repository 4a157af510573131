package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** A request. The constructors and setters refuse a target that could not be sent. */
public class DefaultHttpRequest extends DefaultHttpMessage implements HttpRequest {
    private HttpMethod method;
    private String uri;

    /**
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if the URI is invalid, see {@link #setUri}
     */
    public DefaultHttpRequest(HttpVersion httpVersion, HttpMethod method, String uri) {
        this(httpVersion, method, uri, new DefaultHttpHeaders(true));
    }

    /**
     * Uses and keeps the given headers. If a subclass of {@link HttpRequestDecoder} creates its requests
     * this way, received headers are parsed into a map of its choice.
     *
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if the URI is invalid, see {@link #setUri}
     */
    public DefaultHttpRequest(HttpVersion httpVersion, HttpMethod method, String uri, HttpHeaders headers) {
        super(httpVersion, headers);
        this.method = Objects.requireNonNull(method, "method");
        this.uri = HeaderSyntax.checkTarget(Objects.requireNonNull(uri, "uri"));
    }

    private DefaultHttpRequest(String checkedUri, HttpVersion httpVersion, HttpMethod method) {
        super(httpVersion);
        this.method = method;
        this.uri = checkedUri;
    }

    /** For a start line that a decoder has already checked. */
    static DefaultHttpRequest ofDecoded(HttpVersion httpVersion, HttpMethod method, String uri) {
        return new DefaultHttpRequest(uri, httpVersion, method);
    }

    @Override
    public HttpMethod getMethod() {
        return method;
    }

    @Override
    public void setMethod(HttpMethod method) {
        this.method = Objects.requireNonNull(method, "method");
    }

    @Override
    public String getUri() {
        return uri;
    }

    @Override
    public void setUri(String uri) {
        this.uri = HeaderSyntax.checkTarget(Objects.requireNonNull(uri, "uri"));
    }

    @Override
    long startLineLength() {
        return method.getName().length() + uri.length();
    }

    @Override
    public String toString() {
        return MessageText.of(this, method + " " + uri + ' ' + getProtocolVersion());
    }
}
