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
 * How a server speaks WebSocket, for a {@link WebSocketServerProtocolHandler}.
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

    /** @param path which requests are for WebSocket, such as {@code /chat}; null for all. A query does not matter. */
    public static Builder builder(String path) {
        return new Builder(path);
    }

    /** Null for all. */
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

    /** A page of the server itself, or no browser. */
    private static boolean isSameOrigin(HttpRequest request, Channel channel) {
        String origin = request.headers().get(Names.ORIGIN);
        return origin == null || RequestOrigin.isSame(origin, request, channel);
    }

    /** Collects settings. Not thread-safe. */
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
         * Allows pages of these origins, such as {@code https://example.com}, and clients that are no browsers. By default only pages of
         * the server itself are allowed: those whose {@code Origin} has the scheme, host and port that the request was sent to, see {@link
         * RequestOrigin}. Others are answered 403, since any page can make a browser connect, with the user's cookies. Behind a proxy that
         * ends TLS, name your own origin here.
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

        /** Allows pages of any origin: for what is public, or does not go by cookies. */
        public Builder allowAnyOrigin() {
            originCheck = (request, channel) -> true;
            return this;
        }

        /** Asks for each request whether it is allowed; runs on the I/O thread. Others are answered 403. */
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
