package org.freshet.handler.codec.http.server;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.OriginalAddress;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpRequests;
import org.freshet.handler.codec.http.server.internal.ExchangesLink;
import org.freshet.handler.codec.http2.Http2StreamChannel;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolHeader;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolTls;
import org.freshet.handler.ssl.SslHandler;

/**
 * Where a request came from. If a {@link ForwardedHandler} knows the proxies in front of the server, this is the client
 * itself. Otherwise it is the source of the connection ({@link OriginalAddress}): its peer, or the client that a load
 * balancer has named in the PROXY protocol. Other headers are ignored.
 *
 * @param address the address of the client; port 0 if the proxy doesn't state one. Null if the channel was never
 *     connected
 * @param scheme the scheme that the client used, {@code http} or {@code https}
 * @param authority the host that the client asked for, including the port if it states one; null if the request has
 *     none
 */
public record RequestSource(SocketAddress address, String scheme, String authority) {
    /**
     * Returns the source of a request. Call this before the response has been written: after that, the information from
     * proxies is forgotten, and the source is that of the connection. Any thread may call this.
     *
     * @param channel the channel that received the request; for HTTP/2, that of its stream
     * @param request the object that was decoded. For a replacement made by a handler, the source is that of the
     *     connection
     */
    public static RequestSource of(Channel channel, HttpRequest request) {
        RequestSource forwarded = forwarded(channel, request);
        return forwarded == null ? ofConnection(channel, request) : forwarded;
    }

    /** The source according to proxies; null if there is no such information. */
    static RequestSource forwarded(Channel channel, HttpRequest request) {
        return (RequestSource) ExchangesLink.attachment(channel, request, RequestSource.class);
    }

    static RequestSource forwarded(Exchange exchange) {
        return (RequestSource) exchange.attachment(RequestSource.class);
    }

    static RequestSource ofConnection(Channel channel, HttpRequest request) {
        return new RequestSource(
                OriginalAddress.of(channel), isSecure(channel) ? "https" : "http", HttpRequests.authority(request));
    }

    private static boolean isSecure(Channel channel) {
        Channel connection = channel instanceof Http2StreamChannel stream ? stream.getParent() : channel;
        return connection != null
                && (connection.getPipeline().get(SslHandler.class) != null || isSecureToProxy(connection));
    }

    /** Whether a proxy that ends TLS states in the PROXY protocol that the client uses TLS. */
    static boolean isSecureToProxy(Channel channel) {
        ProxyProtocolHeader header = ProxyProtocolHeader.of(channel);
        ProxyProtocolTls tls = header == null ? null : header.tls();
        return tls != null && tls.isTls();
    }

    void keep(Exchange exchange) {
        exchange.attach(RequestSource.class, this);
    }
}
