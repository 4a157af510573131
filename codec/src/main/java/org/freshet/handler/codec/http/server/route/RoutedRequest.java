package org.freshet.handler.codec.http.server.route;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.QueryStringDecoder;
import org.freshet.handler.codec.http.server.RequestSource;

/**
 * A request as a function sees it: with the parameters of its path and query, and with its whole content.
 *
 * <p>Client errors, such as a malformed escape, are thrown as {@link HttpStatusException}. If the function doesn't
 * catch it, the client gets a 400.
 *
 * <p>Not thread-safe. You may keep it and read it after the function has returned.
 */
public final class RoutedRequest {
    final ChannelHandlerContext ctx;
    private final HttpRequest request;

    /**
     * The source according to proxies, which the channel forgets once the request is answered; null if there is no
     * information.
     */
    private final RequestSource forwarded;

    /** Null until requested. */
    private String path;

    /** Null without a router, and for a route without parameters. */
    private PathTemplate template;

    /** Null if there is no template. */
    private String decodedPath;

    /** Null until requested. */
    private Map<String, List<String>> query;

    RoutedRequest(ChannelHandlerContext ctx, HttpRequest request, RequestSource forwarded) {
        this.ctx = ctx;
        this.request = request;
        this.forwarded = forwarded;
    }

    private static String path(String target) {
        if (!target.startsWith("/")) {
            return new QueryStringDecoder(target).rawPath();
        }
        int end = target.indexOf('?');
        return end < 0 ? target : target.substring(0, end);
    }

    void onRouted(PathTemplate template, String decodedPath) {
        this.template = template;
        this.decodedPath = decodedPath;
    }

    // ---- the request as received ----

    /** The request itself. */
    public HttpRequest request() {
        return request;
    }

    /** The channel that received it; for HTTP/2, that of its stream. */
    public Channel channel() {
        return ctx.getChannel();
    }

    /**
     * Where the request came from: the client, if the server knows the proxies in front of it. Available after the
     * response, too.
     */
    public RequestSource source() {
        return forwarded == null ? RequestSource.of(channel(), request) : forwarded;
    }

    public HttpMethod method() {
        return request.getMethod();
    }

    /**
     * The path as it was sent, still escaped, without query, scheme and host: {@code /a%20b} for
     * {@code GET http://host/a%20b?c=d}. The few requests without a path have {@code *}, or a host and port.
     */
    public String path() {
        if (path == null) {
            path = path(request.getUri());
        }
        return path;
    }

    /** The first value of a header; null if the request has no such header. */
    public String header(String name) {
        return request.headers().get(name);
    }

    // ---- parameters ----

    /**
     * Returns the decoded value of a parameter or wildcard of the template. Don't use it as a file name without further
     * checks.
     *
     * @return never null, and empty only for a wildcard
     * @throws IllegalArgumentException if the template has no such parameter
     */
    public String pathParameter(String name) {
        int index = template == null ? -1 : template.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("the route has no parameter with this name: " + name);
        }
        int from = SafePath.startOfSegment(decodedPath, index);
        return template.isWildcard(index)
                ? decodedPath.substring(from)
                : decodedPath.substring(from, SafePath.endOfSegment(decodedPath, from));
    }

    /**
     * Returns the value of a parameter or wildcard of the template, converted by a parser:
     * {@code pathParameter("id", Long::valueOf)}.
     *
     * @throws HttpStatusException 400 if the parser throws an IllegalArgumentException, as the parsers of numbers and
     *     UUIDs do
     * @throws IllegalArgumentException if the template has no such parameter
     */
    public <T> T pathParameter(String name, Function<String, T> parser) {
        return parse(name, pathParameter(name), parser);
    }

    /**
     * Returns the first value of a query parameter, decoded.
     *
     * @return null if there is no such parameter; empty if it has no value
     * @throws HttpStatusException 400, see {@link #queryParameters()}
     */
    public String queryParameter(String name) {
        List<String> values = queryParameters(name);
        return values.isEmpty() ? null : values.get(0);
    }

    /**
     * Returns the first value of a query parameter, converted by a parser:
     * {@code queryParameter("limit", Integer::valueOf)}.
     *
     * @return null if there is no such parameter
     * @throws HttpStatusException 400, see {@link #queryParameters()}, or if the parser throws an
     *     IllegalArgumentException
     */
    public <T> T queryParameter(String name, Function<String, T> parser) {
        String value = queryParameter(name);
        return value == null ? null : parse(name, value, parser);
    }

    private static <T> T parse(String name, String value, Function<String, T> parser) {
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException e) {
            throw new HttpStatusException(HttpResponseStatus.BAD_REQUEST, "parameter " + name, e);
        }
    }

    /**
     * Returns all values of a query parameter, decoded, in order.
     *
     * @return unmodifiable; empty if the query has no such parameter
     * @throws HttpStatusException 400, see {@link #queryParameters()}
     */
    public List<String> queryParameters(String name) {
        return queryParameters().getOrDefault(name, List.of());
    }

    /**
     * Returns the decoded query parameters, ordered by the first occurrence of each name. Only {@code &} separates
     * parameters. A plus sign is a blank, and bytes that aren't UTF-8 become replacement characters.
     *
     * @return unmodifiable
     * @throws HttpStatusException 400 if a percent sign is not followed by two hexadecimal digits, or if there are more
     *     than 1024 parameters
     */
    public Map<String, List<String>> queryParameters() {
        if (query == null) {
            query = QueryParameters.of(request.getUri());
        }
        return query;
    }

    // ---- content ----

    /** The content; empty if the request has no content. */
    public ChannelBuffer content() {
        return request.getContent();
    }

    /**
     * Returns the content as text, in the charset from {@code Content-Type}, or UTF-8 if that has none.
     *
     * @throws HttpStatusException 415 if the charset is unknown, 400 if the content is malformed in that charset
     */
    public String text() {
        return ContentText.of(request);
    }
}
