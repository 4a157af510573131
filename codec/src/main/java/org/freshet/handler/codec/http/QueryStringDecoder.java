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
 * Splits a target into its path and the parameters of its query, when they are asked for.
 *
 * <pre>{@code
 * QueryStringDecoder query = new QueryStringDecoder("/trains?from=Graz&from=Linz&limit=5");
 * String path = query.getPath(); // "/trains"
 * List<String> from = query.getParameters().get("from"); // ["Graz", "Linz"]
 * }</pre>
 *
 * <p>Parameters end at {@code &}, and at {@code ;} unless {@link #semicolonIsSeparator} says otherwise. A parameter without
 * {@code =} has an empty value; one without a name is called by its value, as in Netty 3. Parameters beyond {@code maxParams} are
 * ignored, so that a target cannot fill a hash table at will.
 *
 * <p>Not thread-safe.
 */
public class QueryStringDecoder {
    private static final int DEFAULT_MAX_PARAMS = 1024;

    private final Charset charset;
    private final int maxParams;

    private final String path;

    /** What is behind the path; empty if there is nothing. */
    private final String query;

    private boolean semicolonIsSeparator = true;

    /** Null until they are asked for. */
    private Map<String, List<String>> parameters;

    /** Splits a target whose query is in UTF-8. */
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

    /** Takes path and query of a URI; what else it has does not matter. */
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
     * Whether a semicolon ends a parameter, as the default is, or is one of its characters, as forms of HTML and most other
     * servers have it. Where a proxy in front reads it otherwise, the two see different parameters.
     *
     * @return this
     */
    public QueryStringDecoder semicolonIsSeparator(boolean separator) {
        semicolonIsSeparator = separator;
        parameters = null;
        return this;
    }

    /** What is before the question mark, as it was sent: of an absolute target with scheme and host. */
    public String getPath() {
        return path;
    }

    /** The path as it was sent, without scheme and host; {@code /} if an absolute target has none. */
    public String rawPath() {
        int authority = RequestTarget.startOfAuthority(path);
        if (authority < 0) {
            return path;
        }
        int end = RequestTarget.endOfAuthority(path, authority);
        return end == path.length() ? "/" : path.substring(end);
    }

    /** What is behind the question mark, as it was sent; empty if there is nothing. */
    public String rawQuery() {
        return query;
    }

    /**
     * The decoded parameters, in the order of their first occurrence.
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
     * Decodes one parameter after the other, in their order, without keeping them.
     *
     * @param action is given name and value; what it throws ends the iteration
     * @throws IllegalArgumentException if a percent sign is not followed by two hexadecimal digits; parameters before that have
     *     been given to the action
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

    /** Decodes escapes and plus signs, in UTF-8; see {@link #decodeComponent(String, Charset)}. */
    public static String decodeComponent(String s) {
        return decodeComponent(s, HttpConstants.DEFAULT_CHARSET);
    }

    /**
     * Decodes a part of a query: {@code %xx} stands for a byte, {@code +} for a blank, {@code %%} for a percent sign.
     *
     * @param s null for nothing, which is decoded as the empty text
     * @throws IllegalArgumentException if a percent sign is not followed by two hexadecimal digits
     */
    public static String decodeComponent(String s, Charset charset) {
        return s == null ? "" : PercentDecoder.decode(s, 0, s.length(), charset);
    }
}
