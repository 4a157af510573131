package org.freshet.handler.codec.http.server;

import java.util.Locale;
import org.freshet.channel.Channel;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpRequests;
import org.freshet.handler.codec.http2.Http2StreamChannel;
import org.freshet.handler.ssl.SslHandler;

/**
 * The origin that a request is sent to: its scheme, host and port (RFC 6454). {@link CorsHandler} and WebSocket servers
 * use it. You can use it for your own checks, for example against forged forms. Stateless; any thread may call it.
 */
public final class RequestOrigin {
    private static final String SEPARATOR = "://";

    private RequestOrigin() {}

    /**
     * Returns whether an {@code Origin} is that of the request itself. Behind a proxy that ends TLS, the scheme is only
     * known if {@link HttpServerPipeline.Builder#forwarded} trusts the proxy.
     *
     * @param origin the value of the header, such as {@code https://example.com}
     * @param channel the channel that received the request; for HTTP/2, that of its stream
     */
    public static boolean isSame(String origin, HttpRequest request, Channel channel) {
        int at = origin.indexOf(SEPARATOR);
        RequestSource forwarded = RequestSource.forwarded(channel, request);
        String authority = forwarded == null ? HttpRequests.authority(request) : forwarded.authority();
        String scheme = forwarded == null ? schemeOf(request, channel) : forwarded.scheme();
        return at > 0
                && authority != null
                && normalized(origin.substring(0, at), origin.substring(at + SEPARATOR.length()))
                        .equals(normalized(scheme, authority));
    }

    /** The scheme of an absolute target, otherwise of the connection. */
    private static String schemeOf(HttpRequest request, Channel channel) {
        String target = request.getUri();
        int at = target.startsWith("/") ? -1 : target.indexOf(SEPARATOR);
        if (at > 0) {
            return target.substring(0, at);
        }
        if (channel instanceof Http2StreamChannel stream) {
            return stream.getScheme();
        }
        boolean isPlain =
                channel.getPipeline().get(SslHandler.class) == null && !RequestSource.isSecureToProxy(channel);
        return isPlain ? "http" : "https";
    }

    /** In lower case, without the scheme's default port. */
    private static String normalized(String scheme, String authority) {
        String lower = scheme.toLowerCase(Locale.ROOT);
        String host = authority.toLowerCase(Locale.ROOT);
        String port = lower.equals("http") ? ":80" : lower.equals("https") ? ":443" : "";
        return lower
                + SEPARATOR
                + (!port.isEmpty() && host.endsWith(port) ? host.substring(0, host.length() - port.length()) : host);
    }
}
