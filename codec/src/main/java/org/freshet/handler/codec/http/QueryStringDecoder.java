package org.freshet.handler.codec.http;

import java.net.URI;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.freshet.handler.codec.http.internal.PercentDecoder;
import org.freshet.handler.codec.http.internal.RequestTarget;

/**
 * Splits a request target into its path and the parameters of its query. Parameters are decoded on demand.
 *
 * <pre>{@code
 * QueryStringDecoder query = new QueryStringDecoder("/trains?from=Graz&from=Linz&limit=5");
 * String path = query.getPath(); // "/trains"
 * List<String> from = query.getParameters().get("from"); // ["Graz", "Linz"]
 * }</pre>
 *
 * <p>Parameters end at {@code &}, and at {@code ;} unless {@link #semicolonIsSeparator} is set to false. A parameter
 * without {@code =} has an empty value. A parameter without a name gets its value as its name, as in Netty 3.
 * Parameters beyond {@code maxParams} are ignored, so that a target cannot fill a hash table at will.
 *
 * <p>Not thread-safe.
 */
public class QueryStringDecoder {
    private static final int DEFAULT_MAX_PARAMS = 1024;

    private final Charset charset;
    private final int maxParams;

    private final String path;

    /** The text after the path and question mark; may be empty. */
    private final String query;

    private boolean semicolonIsSeparator = true;

    /** Null until requested. */
    private Map<String, List<String>> parameters;

    /** Splits a target, decoding its query as UTF-8. */
    public QueryStringDecoder(String uri) {
        this(uri, HttpConstants.DEFAULT_CHARSET);
    }

    /** @param hasPath whether the text begins with a path; false for the content of a form */
    public QueryStringDecoder(String uri, boolean hasPath) {
        this(uri, HttpConstants.DEFAULT_CHARSET, hasPath);
    }

    public QueryStringDecoder(String uri, Charset charset) {
        this(uri, charset, true);
    }

    /** @param hasPath whether the text begins with a path; false for the content of a form */
    public QueryStringDecoder(String uri, Charset charset, boolean hasPath) {
        this(uri, charset, hasPath, DEFAULT_MAX_PARAMS);
    }

    /**
     * @param hasPath whether the text begins with a path; false for the content of a form
     * @param maxParams 1 or more; the default is 1024
     */
    public QueryStringDecoder(String uri, Charset charset, boolean hasPath, int maxParams) {
        this(Objects.requireNonNull(uri, "uri"), hasPath ? uri.indexOf('?') : -1, hasPath, charset, maxParams);
    }

    /** Takes the path and query of a URI, and ignores its other parts. */
    public QueryStringDecoder(URI uri) {
        this(uri, HttpConstants.DEFAULT_CHARSET);
    }

    public QueryStringDecoder(URI uri, Charset charset) {
        this(uri, charset, DEFAULT_MAX_PARAMS);
    }

    /** @param maxParams 1 or more; the default is 1024 */
    public QueryStringDecoder(URI uri, Charset charset, int maxParams) {
        this(orEmpty(uri.getRawPath()), orEmpty(uri.getRawQuery()), charset, maxParams);
    }

    private QueryStringDecoder(String uri, int questionMark, boolean hasPath, Charset charset, int maxParams) {
        this(
                !hasPath ? "" : questionMark < 0 ? uri : uri.substring(0, questionMark),
                !hasPath ? uri : questionMark < 0 ? "" : uri.substring(questionMark + 1),
                charset,
                maxParams);
    }

    private QueryStringDecoder(String path, String query, Charset charset, int maxParams) {
        if (maxParams <= 0) {
            throw new IllegalArgumentException("maxParams <= 0: " + maxParams);
        }
        this.path = path;
        this.query = query;
        this.charset = Objects.requireNonNull(charset, "charset");
        this.maxParams = maxParams;
    }

    private static String orEmpty(String part) {
        return part == null ? "" : part;
    }

    /**
     * Sets whether a semicolon ends a parameter. True by default; false makes it an ordinary character, as in HTML
     * forms and most other servers. If a proxy in front reads semicolons differently, the two see different parameters.
     *
     * @return this
     */
    public QueryStringDecoder semicolonIsSeparator(boolean separator) {
        semicolonIsSeparator = separator;
        parameters = null;
        return this;
    }

    /** The text before the question mark, not decoded; for an absolute target, this includes scheme and host. */
    public String getPath() {
        return path;
    }

    /** The path, not decoded, without scheme and host; {@code /} if an absolute target has no path. */
    public String rawPath() {
        int authority = RequestTarget.startOfAuthority(path);
        if (authority < 0) {
            return path;
        }
        int end = RequestTarget.endOfAuthority(path, authority);
        return end == path.length() ? "/" : path.substring(end);
    }

    /** The text after the question mark, not decoded; empty without a question mark. */
    public String rawQuery() {
        return query;
    }

    /**
     * The decoded parameters, ordered by the first occurrence of each name.
     *
     * @throws IllegalArgumentException if a percent sign is not followed by two hexadecimal digits
     */
    public Map<String, List<String>> getParameters() {
        if (parameters == null) {
            parameters = query.isEmpty() ? Collections.emptyMap() : decode();
        }
        return parameters;
    }

    private Map<String, List<String>> decode() {
        Map<String, List<String>> decoded = new LinkedHashMap<>();
        forEachParameter((name, value) ->
                decoded.computeIfAbsent(name, n -> new ArrayList<>(1)).add(value));
        return decoded;
    }

    /**
     * Decodes the parameters one after the other, in order, without keeping them.
     *
     * @param action called with name and value; anything it throws ends the iteration
     * @throws IllegalArgumentException if a percent sign is not followed by two hexadecimal digits; earlier parameters
     *     have been passed to the action
     */
    public void forEachParameter(BiConsumer<String, String> action) {
        Objects.requireNonNull(action, "action");
        int count = 0;
        for (int from = 0; from < query.length() && count < maxParams; ) {
            int to = endOfParameter(from);
            count += decodeParameter(from, to, action) ? 1 : 0;
            from = to + 1;
        }
    }

    private int endOfParameter(int from) {
        int at = from;
        while (at < query.length() && query.charAt(at) != '&' && (query.charAt(at) != ';' || !semicolonIsSeparator)) {
            at++;
        }
        return at;
    }

    /** Returns false if there is neither a name nor a value. */
    private boolean decodeParameter(int from, int to, BiConsumer<String, String> action) {
        int start = from;
        while (start < to && query.charAt(start) == '=') {
            start++; // a parameter without a name
        }
        if (start == to) {
            return false;
        }
        int nameEnd = start;
        while (nameEnd < to && query.charAt(nameEnd) != '=') {
            nameEnd++;
        }
        String name = PercentDecoder.decode(query, start, nameEnd, charset);
        String value = nameEnd == to ? "" : PercentDecoder.decode(query, nameEnd + 1, to, charset);
        action.accept(name, value);
        return true;
    }

    /** Decodes escapes and plus signs as UTF-8; see {@link #decodeComponent(String, Charset)}. */
    public static String decodeComponent(String s) {
        return decodeComponent(s, HttpConstants.DEFAULT_CHARSET);
    }

    /**
     * Decodes a part of a query: {@code %xx} becomes a byte, {@code +} a blank, and {@code %%} a percent sign.
     *
     * @param s null is decoded as the empty string
     * @throws IllegalArgumentException if a percent sign is not followed by two hexadecimal digits
     */
    public static String decodeComponent(String s, Charset charset) {
        return s == null ? "" : PercentDecoder.decode(s, 0, s.length(), charset);
    }
}
