package org.freshet.handler.codec.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.util.Objects;

/**
 * Appends parameters to a path.
 *
 * <pre>{@code
 * QueryStringEncoder query = new QueryStringEncoder("/trains");
 * query.addParam("from", "Bad Ischl");
 * String uri = query.toString(); // "/trains?from=Bad%20Ischl"
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public class QueryStringEncoder {
    private final Charset charset;
    private final StringBuilder uri;
    private char separator = '?';

    /** Encodes as UTF-8. */
    public QueryStringEncoder(String uri) {
        this(uri, HttpConstants.DEFAULT_CHARSET);
    }

    /** @param uri a path without a query; used unchanged */
    public QueryStringEncoder(String uri, Charset charset) {
        this.uri = new StringBuilder(Objects.requireNonNull(uri, "uri"));
        this.charset = Objects.requireNonNull(charset, "charset");
    }

    /** @throws NullPointerException if an argument is null */
    public void addParam(String name, String value) {
        String encoded =
                encode(Objects.requireNonNull(name, "name")) + '=' + encode(Objects.requireNonNull(value, "value"));
        uri.append(separator).append(encoded);
        separator = '&';
    }

    private String encode(String component) {
        return URLEncoder.encode(component, charset).replace("+", "%20");
    }

    /** @throws URISyntaxException if the path passed to the constructor is not valid in a URI */
    public URI toUri() throws URISyntaxException {
        return new URI(toString());
    }

    /** The path with its query. */
    @Override
    public String toString() {
        return uri.toString();
    }
}
