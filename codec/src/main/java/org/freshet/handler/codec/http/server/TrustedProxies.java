package org.freshet.handler.codec.http.server;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.ipfilter.IpNetworks;

/**
 * The proxies that are trusted to say which client they forward for, and the headers in which they say it. Name the
 * headers that your proxies <em>set</em>: all others may come from the client unchanged, and are ignored.
 *
 * <pre>{@code
 * HttpServerPipeline.builder(timer)
 *         .forwarded(TrustedProxies.xForwarded("10.0.0.0/8", "2001:db8::/32").withProto())
 *         .aggregate(64 * 1024)
 *         .handler("application", () -> RequestHandler.of(
 *                 request -> HttpResponses.text("You are " + request.source().address() + "\n")));
 * }</pre>
 *
 * <p>Addresses are read backwards, from the last one, which the nearest proxy has written, to the first one that isn't
 * a trusted proxy: that is the client. Anything before that was sent by the client, and is ignored. Reading also stops
 * at an address that is hidden or malformed; the last known proxy then counts as the client. At most 16 addresses are
 * read.
 *
 * <p>Immutable; any thread may use it.
 */
public final class TrustedProxies {
    private static final int MAX_HOPS = 16;

    private final boolean isStandard;
    private final boolean takesProto;
    private final boolean takesHost;
    private final IpNetworks networks;

    /** Whether peers without an IP address count as proxies, too. */
    private final boolean trustsOthers;

    private TrustedProxies(
            boolean isStandard, boolean takesProto, boolean takesHost, IpNetworks networks, boolean trustsOthers) {
        this.isStandard = isStandard;
        this.takesProto = takesProto;
        this.takesHost = takesHost;
        this.networks = networks;
        this.trustsOthers = trustsOthers;
    }

    /**
     * Trusts proxies that set {@code X-Forwarded-For}. Scheme and host are those of the connection and the request,
     * unless you call {@link #withProto} and {@link #withHost} because your proxies set those headers, too. Many
     * proxies pass them on as the client sent them.
     *
     * @param networks the networks of the proxies, such as {@code "10.0.0.0/8"} or {@code "192.0.2.1/32"}
     * @throws IllegalArgumentException if {@code networks} is empty, or one of them is not a network
     */
    public static TrustedProxies xForwarded(String... networks) {
        return new TrustedProxies(false, false, false, IpNetworks.of(networks), false);
    }

    /**
     * Trusts proxies that set {@code Forwarded} (RFC 7239). Scheme and host are in the same header.
     *
     * @param networks the networks of the proxies, such as {@code "10.0.0.0/8"} or {@code "192.0.2.1/32"}
     * @throws IllegalArgumentException if {@code networks} is empty, or one of them is not a network
     */
    public static TrustedProxies forwarded(String... networks) {
        return new TrustedProxies(true, true, true, IpNetworks.of(networks), false);
    }

    /**
     * Declares that the proxies also set {@code X-Forwarded-Proto}, replacing any value from the client. Its last value
     * is the client's scheme.
     *
     * @throws IllegalStateException if they set {@code Forwarded}, which includes the scheme
     */
    public TrustedProxies withProto() {
        checkNotStandard();
        return new TrustedProxies(false, true, takesHost, networks, trustsOthers);
    }

    /**
     * Declares that the proxies also set {@code X-Forwarded-Host}, replacing any value from the client. Its last value
     * is the host that the client asked for. If a proxy only passes this header on, a client can claim any host, and so
     * any origin.
     *
     * @throws IllegalStateException if they set {@code Forwarded}, which includes the host
     */
    public TrustedProxies withHost() {
        checkNotStandard();
        return new TrustedProxies(false, takesProto, true, networks, trustsOthers);
    }

    /**
     * Also trusts peers without an IP address: those of the local transport, and of Unix domain sockets, where the
     * file's permissions decide who can connect. By default, such peers are clients themselves.
     */
    public TrustedProxies withNonIpPeers() {
        return new TrustedProxies(isStandard, takesProto, takesHost, networks, true);
    }

    private boolean trusts(SocketAddress node) {
        return node instanceof InetSocketAddress ? networks.contains(node) : node != null && trustsOthers;
    }

    private void checkNotStandard() {
        if (isStandard) {
            throw new IllegalStateException("proxies that set Forwarded include scheme and host in that header");
        }
    }

    /** Returns the peer itself if it isn't trusted. */
    RequestSource clientOf(RequestSource peer, HttpHeaders headers) {
        if (!trusts(peer.address())) {
            return peer;
        }
        return isStandard ? clientOfForwarded(peer, headers) : clientOfXForwarded(peer, headers);
    }

    private RequestSource clientOfXForwarded(RequestSource peer, HttpHeaders headers) {
        BackwardElements nodes = new BackwardElements(headers.getAll("X-Forwarded-For"));
        SocketAddress client = peer.address();
        for (int hops = 0; hops < MAX_HOPS && trusts(client); hops++) {
            SocketAddress next = ForwardedElement.address(nodes.next(), true);
            if (next == null) {
                break;
            }
            client = next;
        }
        String proto = takesProto ? last(headers, "X-Forwarded-Proto") : null;
        String host = takesHost ? last(headers, "X-Forwarded-Host") : null;
        String scheme = ForwardedElement.scheme(proto, peer.scheme());
        String authority = ForwardedElement.authority(host, peer.authority());
        return new RequestSource(client, scheme, authority);
    }

    private static String last(HttpHeaders headers, String name) {
        return new BackwardElements(headers.getAll(name)).next();
    }

    private RequestSource clientOfForwarded(RequestSource peer, HttpHeaders headers) {
        BackwardElements elements = new BackwardElements(headers.getAll("Forwarded"));
        RequestSource client = peer;
        for (int hops = 0; hops < MAX_HOPS && trusts(client.address()); hops++) {
            ForwardedElement element = ForwardedElement.parse(elements.next());
            if (element == null) {
                break;
            }
            SocketAddress next = ForwardedElement.address(element.node(), false);
            client = new RequestSource(
                    next == null ? client.address() : next,
                    ForwardedElement.scheme(element.proto(), client.scheme()),
                    ForwardedElement.authority(element.host(), client.authority()));
            if (next == null) {
                break;
            }
        }
        return client;
    }
}
