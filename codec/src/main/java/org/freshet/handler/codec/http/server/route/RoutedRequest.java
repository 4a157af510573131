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
 * <p>What a client sends wrong, such as a malformed escape, is thrown as an {@link HttpStatusException}: a function that doesn't catch
 * it answers with 400.
 *
 * <p>For one thread at a time. It may be kept and read after the function has returned.
 */
public final class RoutedRequest {
    final ChannelHandlerContext ctx;
    private final HttpRequest request;
    private final String path;

    /** What proxies have said, which is forgotten once the request is answered; null for nothing. */
    private final RequestSource told;

    /** Null without a router, and for a route without parameters. */
    private PathTemplate template;

    /** Null as long as there is no template. */
    private String decodedPath;

    /** Null until it is asked for. */
    private Map<String, List<String>> query;

    RoutedRequest(ChannelHandlerContext ctx, HttpRequest request, RequestSource told) {
        this.ctx = ctx;
        this.request = request;
        this.told = told;
        path = path(request.getUri());
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

    // ---- as it came ----

    /** The request itself. */
    public HttpRequest request() {
        return request;
    }

    /** The channel that it came on; for HTTP/2, that of its stream. */
    public Channel channel() {
        return ctx.getChannel();
    }

    /** Where the request came from: the client, if the server knows the proxies in front of it. Also after the answer. */
    public RequestSource source() {
        return told == null ? RequestSource.of(channel(), request) : told;
    }

    public HttpMethod method() {
        return request.getMethod();
    }

    /**
     * The path as it was sent, still escaped, without query, scheme and host: {@code /a%20b} for {@code GET http://host/a%20b?c=d}.
     * It is {@code *} or a host and port for the few requests that have no path.
     */
    public String path() {
        return path;
    }

    /** The first value of a header; null if there is none. */
    public String header(String name) {
        return request.headers().get(name);
    }

    // ---- parameters ----

    /**
     * The decoded value of a parameter or wildcard of the template. It isn't fit as a file name without further checks.
     *
     * @return not null, and empty only for a wildcard
     * @throws IllegalArgumentException if the template has no such parameter
     */
    public String pathParameter(String name) {
        int index = template == null ? -1 : template.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("the route has no parameter of that name: " + name);
        }
        int from = SafePath.startOfSegment(decodedPath, index);
        return template.isWildcard(index)
                ? decodedPath.substring(from)
                : decodedPath.substring(from, SafePath.endOfSegment(decodedPath, from));
    }

    /**
     * The value of a parameter or wildcard of the template, as what a parser makes of it: {@code pathParameter("id", Long::valueOf)}.
     *
     * @throws HttpStatusException 400 if the parser throws an IllegalArgumentException, as those of numbers and UUIDs do
     * @throws IllegalArgumentException if the template has no such parameter
     */
    public <T> T pathParameter(String name, Function<String, T> parser) {
        return parse(name, pathParameter(name), parser);
    }

    /**
     * The first value of a parameter of the query, decoded.
     *
     * @return null if there is none; empty if it has a name only
     * @throws HttpStatusException 400 as {@link #queryParameters()}
     */
    public String queryParameter(String name) {
        List<String> values = queryParameters(name);
        return values.isEmpty() ? null : values.get(0);
    }

    /**
     * The first value of a parameter of the query, as what a parser makes of it: {@code queryParameter("limit", Integer::valueOf)}.
     *
     * @return null if there is none
     * @throws HttpStatusException 400 as {@link #queryParameters()}, and if the parser throws an IllegalArgumentException
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
     * All values of a parameter of the query, decoded, in their order.
     *
     * @return unmodifiable; empty if there are none
     * @throws HttpStatusException 400 as {@link #queryParameters()}
     */
    public List<String> queryParameters(String name) {
        return queryParameters().getOrDefault(name, List.of());
    }

    /**
     * The decoded parameters of the query, in the order in which their names first occur. Only {@code &} separates them. A plus sign is
     * a blank, and what isn't UTF-8 becomes replacement characters.
     *
     * @return unmodifiable
     * @throws HttpStatusException 400 if a percent sign is not followed by two hexadecimal digits, or if there are more than 1024
     *     parameters
     */
    public Map<String, List<String>> queryParameters() {
        if (query == null) {
            query = QueryParameters.of(request.getUri());
        }
        return query;
    }

    // ---- content ----

    /** The content; empty if there is none. */
    public ChannelBuffer content() {
        return request.getContent();
    }

    /**
     * The content as text, in the charset that {@code Content-Type} names, or else in UTF-8.
     *
     * @throws HttpStatusException 415 if the charset isn't known, 400 if the content isn't of the charset
     */
    public String text() {
        return ContentText.of(request);
    }
}
