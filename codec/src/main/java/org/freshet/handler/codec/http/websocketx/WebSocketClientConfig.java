package org.freshet.handler.codec.http.websocketx;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Configures the WebSocket connections of a client, for a {@link WebSocketClientProtocolHandler}.
 *
 * <pre>{@code
 * WebSocketClientConfig config = WebSocketClientConfig.builder(URI.create("ws://example.com/chat"))
 *         .subprotocols("chat.v2", "chat.v1")
 *         .build();
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(
 *         new HttpClientCodec(), new WebSocketClientProtocolHandler(config), new ChatHandler()));
 * }</pre>
 */
public final class WebSocketClientConfig extends WebSocketConfig {
    private final URI uri;
    private final Map<String, String> headers;

    private WebSocketClientConfig(Builder builder) {
        super(builder);
        uri = builder.uri;
        headers = new LinkedHashMap<>(builder.headers);
    }

    /**
     * @param uri with the scheme {@code ws} or {@code wss} and a host. The channel must be connected to that host, and
     * {@code wss} needs an {@link org.freshet.handler.ssl.SslHandler}
     */
    public static Builder builder(URI uri) {
        return new Builder(uri);
    }

    public URI uri() {
        return uri;
    }

    WebSocketClientHandshaker newHandshaker() {
        return new WebSocketClientHandshaker13(uri, subprotocolList(), headers, limits(), extensions());
    }

    /** Collects settings. Not thread-safe. */
    public static final class Builder extends WebSocketConfig.Builder<Builder> {
        private final URI uri;
        private final Map<String, String> headers = new LinkedHashMap<>();

        private Builder(URI uri) {
            boolean webSocket = "ws".equalsIgnoreCase(uri.getScheme()) || "wss".equalsIgnoreCase(uri.getScheme());
            if (!webSocket || uri.getHost() == null) {
                throw new IllegalArgumentException("not a WebSocket URI with a host: " + uri);
            }
            this.uri = uri;
        }

        @Override
        Builder self() {
            return this;
        }

        /** Adds a header to the request, for example {@code Authorization}. May replace {@code Host} and {@code Origin}. */
        public Builder header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        public WebSocketClientConfig build() {
            return new WebSocketClientConfig(this);
        }
    }
}
