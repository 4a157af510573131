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
 * Where a request came from: the client itself, if a {@link ForwardedHandler} knows the proxies in front of the server, else the source of
 * the connection ({@link OriginalAddress}): its peer, or the client that a load balancer has named by the PROXY protocol. Other headers are
 * never looked at.
 *
 * @param address of the client; its port is 0 if the proxy doesn't state one. Null if the channel was never connected
 * @param scheme that the client used, {@code http} or {@code https}
 * @param authority the host that the client asked for, with the port if it states one; null if it does not say
 */
public record RequestSource(SocketAddress address, String scheme, String authority) {
    /**
     * Returns the source of a request. Ask before the response has been written: what proxies have said is forgotten then, and the source
     * is that of the connection. Any thread.
     *
     * @param channel that the request came on; for HTTP/2, that of its stream
     * @param request as it was decoded. For an object that a handler made in its place, the source is that of the connection
     */
    public static RequestSource of(Channel channel, HttpRequest request) {
        RequestSource told = told(channel, request);
        return told == null ? ofConnection(channel, request) : told;
    }

    /** What proxies have said; null for nothing. */
    static RequestSource told(Channel channel, HttpRequest request) {
        return (RequestSource) ExchangesLink.attachment(channel, request, RequestSource.class);
    }

    static RequestSource told(Exchange exchange) {
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

    /** Whether a proxy that ends TLS says by the PROXY protocol that the client uses it. */
    static boolean isSecureToProxy(Channel channel) {
        ProxyProtocolHeader header = ProxyProtocolHeader.of(channel);
        ProxyProtocolTls tls = header == null ? null : header.tls();
        return tls != null && tls.isTls();
    }

    void keep(Exchange exchange) {
        exchange.attach(RequestSource.class, this);
    }
}
