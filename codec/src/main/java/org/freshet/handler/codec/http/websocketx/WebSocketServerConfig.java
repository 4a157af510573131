package org.freshet.handler.codec.http.websocketx;

import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.freshet.channel.Channel;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.server.RequestOrigin;

/**
 * Configures the WebSocket connections of a server, for a {@link WebSocketServerProtocolHandler}.
 *
 * <pre>{@code
 * WebSocketServerConfig config = WebSocketServerConfig.builder("/chat")
 *         .allowOrigins("https://example.com")
 *         .ping(Duration.ofSeconds(30), Duration.ofSeconds(10))
 *         .build();
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(
 *         new HttpServerCodec(), new WebSocketServerProtocolHandler(config), new ChatHandler()));
 * }</pre>
 */
public final class WebSocketServerConfig extends WebSocketConfig {
    private final String path;
    private final BiPredicate<HttpRequest, Channel> originCheck;

    private WebSocketServerConfig(Builder builder) {
        super(builder);
        path = builder.path;
        originCheck = builder.originCheck;
    }

    /** @param path the path of WebSocket requests, such as {@code /chat}, compared without the query; null means all paths */
    public static Builder builder(String path) {
        return new Builder(path);
    }

    /** Null means all paths. */
    public String path() {
        return path;
    }

    /** Whether the request is for the path. */
    boolean matches(HttpRequest request) {
        if (path == null) {
            return true;
        }
        String target = request.getUri();
        int query = target.indexOf('?');
        return path.equals(query < 0 ? target : target.substring(0, query));
    }

    boolean allowsOriginOf(HttpRequest request, Channel channel) {
        return originCheck.test(request, channel);
    }

    /** True for a page of the server itself, or a client that is not a browser. */
    private static boolean isSameOrigin(HttpRequest request, Channel channel) {
        String origin = request.headers().get(Names.ORIGIN);
        return origin == null || RequestOrigin.isSame(origin, request, channel);
    }

    /** Collects the settings. Not thread-safe. */
    public static final class Builder extends WebSocketConfig.Builder<Builder> {
        private final String path;
        private final Set<String> origins = new TreeSet<>();
        private BiPredicate<HttpRequest, Channel> originCheck = WebSocketServerConfig::isSameOrigin;

        private Builder(String path) {
            this.path = path;
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * Allows pages from these origins, such as {@code https://example.com}, and clients that are not browsers. By default
         * only the server's own pages are allowed: their {@code Origin} must have the scheme, host and port that the request
         * was sent to, see {@link RequestOrigin}. Other origins are answered with 403, because any page can make a browser
         * connect with the user's cookies. Behind a proxy that terminates TLS, name your own origin here.
         */
        public Builder allowOrigins(String... allowed) {
            for (String origin : allowed) {
                origins.add(origin.toLowerCase(Locale.ROOT));
            }
            originCheck = (request, channel) -> {
                String origin = request.headers().get(Names.ORIGIN);
                return origin == null || origins.contains(origin.toLowerCase(Locale.ROOT));
            };
            return this;
        }

        /** Allows pages from any origin. Use this for public services, or if you don't rely on cookies. */
        public Builder allowAnyOrigin() {
            originCheck = (request, channel) -> true;
            return this;
        }

        /**
         * Decides for each request whether it is allowed; runs on the I/O thread. Rejected requests are answered with
         * 403.
         */
        public Builder allowIf(Predicate<HttpRequest> check) {
            Objects.requireNonNull(check, "check");
            originCheck = (request, channel) -> check.test(request);
            return this;
        }

        public WebSocketServerConfig build() {
            return new WebSocketServerConfig(this);
        }
    }
}
