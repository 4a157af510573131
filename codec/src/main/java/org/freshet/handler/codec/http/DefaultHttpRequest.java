package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** A request. Constructor and setters refuse what could not be sent as one. */
public class DefaultHttpRequest extends DefaultHttpMessage implements HttpRequest {
    private HttpMethod method;
    private String uri;

    /**
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException as {@link #setUri} throws it
     */
    public DefaultHttpRequest(HttpVersion httpVersion, HttpMethod method, String uri) {
        this(httpVersion, method, uri, new DefaultHttpHeaders(true));
    }

    /**
     * With headers of the caller's choice, which the request keeps: a subclass of {@link HttpRequestDecoder} that makes its requests so has
     * them parsed into a map of its own.
     *
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException as {@link #setUri} throws it
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

    /** With a start line that a decoder has checked. */
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
    public String toString() {
        return MessageText.of(this, method + " " + uri + ' ' + getProtocolVersion());
    }
}
