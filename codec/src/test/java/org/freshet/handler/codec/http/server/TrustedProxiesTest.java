package org.freshet.handler.codec.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Proxies at 10.0.0.0/8 and fd00::/8; the nearest one is 10.0.0.1. */
class TrustedProxiesTest {
    private static final RequestSource PROXY =
            new RequestSource(new InetSocketAddress("10.0.0.1", 5000), "http", "inner.example");
    private static final TrustedProxies X_FORWARDED = TrustedProxies.xForwarded("10.0.0.0/8", "fd00::/8");
    private static final TrustedProxies ALL_OF_X = X_FORWARDED.withProto().withHost();
    private static final TrustedProxies FORWARDED = TrustedProxies.forwarded("10.0.0.0/8", "fd00::/8");

    private static HttpHeaders headers(String... lines) {
        HttpHeaders headers = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/").headers();
        for (String line : lines) {
            int colon = line.indexOf(':');
            headers.add(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        return headers;
    }

    private static String client(TrustedProxies proxies, String... lines) {
        InetSocketAddress address =
                (InetSocketAddress) proxies.clientOf(PROXY, headers(lines)).address();
        return address.getAddress().getHostAddress() + ' ' + address.getPort();
    }

    private static String client(String forwardedFor) {
        return client(X_FORWARDED, "X-Forwarded-For: " + forwardedFor);
    }

    // ---- who is trusted ----

    @Test
    void shouldNotTrustAPeerThatIsNotAProxy() {
        RequestSource stranger = new RequestSource(new InetSocketAddress("192.0.2.1", 1), "http", "a.example");
        HttpHeaders headers =
                headers("X-Forwarded-For: 10.9.9.9", "X-Forwarded-Proto: https", "Forwarded: for=10.9.9.9;proto=https");
        assertSame(stranger, X_FORWARDED.clientOf(stranger, headers));
        assertSame(stranger, FORWARDED.clientOf(stranger, headers));
    }

    @Test
    void shouldTrustAUnixDomainSocketPeerIfConfigured() {
        UnixDomainSocketAddress unnamed = UnixDomainSocketAddress.of("");
        RequestSource proxy = new RequestSource(unnamed, "http", "a.example");
        HttpHeaders headers = headers(
                "X-Forwarded-For: 203.0.113.9, 192.0.2.7, 10.0.0.3",
                "X-Forwarded-Proto: https",
                "Forwarded: for=192.0.2.8;proto=https");
        assertSame(proxy, ALL_OF_X.clientOf(proxy, headers));
        assertSame(proxy, FORWARDED.clientOf(proxy, headers));
        RequestSource client = ALL_OF_X.withNonIpPeers().clientOf(proxy, headers);
        assertEquals(new RequestSource(new InetSocketAddress("192.0.2.7", 0), "https", "a.example"), client);
        client = X_FORWARDED.withNonIpPeers().withProto().clientOf(proxy, headers);
        assertEquals("https", client.scheme());
        client = FORWARDED.withNonIpPeers().clientOf(proxy, headers);
        assertEquals(new InetSocketAddress("192.0.2.8", 0), client.address());
        client = X_FORWARDED.withNonIpPeers().clientOf(proxy, headers("X-Other: a"));
        assertSame(unnamed, client.address());
        RequestSource unknown = new RequestSource(null, "http", "a.example");
        assertSame(unknown, X_FORWARDED.withNonIpPeers().clientOf(unknown, headers));
    }

    @Test
    void shouldNotTrustAConnectionWithoutAnAddress() {
        RequestSource local = new RequestSource(null, "http", "a.example");
        assertSame(local, X_FORWARDED.clientOf(local, headers("X-Forwarded-For: 192.0.2.7")));
    }

    /** The proxies set the other kind of header, and pass this one on as sent by the client. */
    @Test
    void shouldIgnoreHeadersOfTheOtherKind() {
        assertEquals("10.0.0.1 5000", client(X_FORWARDED, "Forwarded: for=192.0.2.7"));
        assertEquals("10.0.0.1 5000", client(FORWARDED, "X-Forwarded-For: 192.0.2.7", "X-Forwarded-Proto: https"));
    }

    @Test
    void shouldUseTheConnectionsAddressWithoutHeaders() {
        assertEquals(PROXY, X_FORWARDED.clientOf(PROXY, headers()));
        assertEquals(PROXY, FORWARDED.clientOf(PROXY, headers()));
    }

    // ---- X-Forwarded-For ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.7|192.0.2.7 0",
                "192.0.2.7:4711|192.0.2.7 4711",
                "2001:db8::7|2001:db8:0:0:0:0:0:7 0",
                "[2001:db8::7]|2001:db8:0:0:0:0:0:7 0",
                "[2001:db8::7]:443|2001:db8:0:0:0:0:0:7 443",
                "::ffff:192.0.2.7|192.0.2.7 0",
                // the last address that is not a proxy's; the client itself wrote the ones before it
                "198.51.100.9, 192.0.2.7|192.0.2.7 0",
                "198.51.100.9, 192.0.2.7, 10.0.0.2|192.0.2.7 0",
                "192.0.2.7, fd00::2, 10.0.0.2|192.0.2.7 0",
                "10.0.0.3, 10.0.0.2|10.0.0.3 0",
                // an unreadable address does not hide the ones after it
                "\", 192.0.2.7|192.0.2.7 0",
                "x, 192.0.2.7|192.0.2.7 0",
                ", 192.0.2.7|192.0.2.7 0",
                // but it ends the search
                "192.0.2.7, x|10.0.0.1 5000",
                "192.0.2.7, x, 10.0.0.2|10.0.0.2 0",
                "192.0.2.7, |10.0.0.1 5000",
                "unknown|10.0.0.1 5000",
                "localhost|10.0.0.1 5000",
                "192.0.2.07|10.0.0.1 5000",
                "192.0.2|10.0.0.1 5000",
                "192.0.2.7:|10.0.0.1 5000",
                "192.0.2.7:65536|10.0.0.1 5000",
                "192.0.2.7:+1|10.0.0.1 5000",
                "[192.0.2.7]|10.0.0.1 5000",
                "[2001:db8::7|10.0.0.1 5000",
                "[2001:db8::7]x|10.0.0.1 5000",
                "fe80::1%eth0|10.0.0.1 5000",
                "192.0.2.7 192.0.2.8|10.0.0.1 5000",
            })
    void shouldFindTheClientInXForwardedFor(String value, String client) {
        assertEquals(client, client(value));
    }

    @Test
    void shouldTreatTheLinesOfAHeaderAsOneList() {
        assertEquals(
                "192.0.2.7 0",
                client(X_FORWARDED, "X-Forwarded-For: 198.51.100.9", "X-Forwarded-For: 192.0.2.7, 10.0.0.2"));
        assertEquals("192.0.2.7 0", client(FORWARDED, "Forwarded: for=\"", "Forwarded: for=192.0.2.7"));
    }

    @Test
    void shouldReadNoMoreThanSixteenAddresses() {
        String many = "192.0.2.7" + ", 10.0.0.2".repeat(15);
        assertEquals("192.0.2.7 0", client(many));
        assertEquals("10.0.0.2 0", client(many + ", 10.0.0.2"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https|shop.example|https://shop.example",
                "HTTPS|shop.example:8443|https://shop.example:8443",
                "http, https|evil.example, shop.example|https://shop.example",
                "ftp|a/b|http://inner.example",
                "https http|a b|http://inner.example",
                "javascript|user@shop.example|http://inner.example",
            })
    void shouldTakeTheLastSchemeAndHost(String proto, String host, String expected) {
        RequestSource client =
                ALL_OF_X.clientOf(PROXY, headers("X-Forwarded-Proto: " + proto, "X-Forwarded-Host: " + host));
        assertEquals(expected, client.scheme() + "://" + client.authority());
    }

    /** Many proxies set only the address header, and pass the others on as sent by the client. */
    @Test
    void shouldTakeSchemeAndHostOnlyFromConfiguredHeaders() {
        HttpHeaders headers =
                headers("X-Forwarded-For: 192.0.2.7", "X-Forwarded-Proto: https", "X-Forwarded-Host: b.example");
        InetSocketAddress address = new InetSocketAddress("192.0.2.7", 0);
        assertEquals(new RequestSource(address, "http", "inner.example"), X_FORWARDED.clientOf(PROXY, headers));
        assertEquals(
                new RequestSource(address, "https", "inner.example"),
                X_FORWARDED.withProto().clientOf(PROXY, headers));
        assertEquals(
                new RequestSource(address, "http", "b.example"),
                X_FORWARDED.withHost().clientOf(PROXY, headers));
        assertEquals(new RequestSource(address, "https", "b.example"), ALL_OF_X.clientOf(PROXY, headers));
    }

    @Test
    void shouldRefuseOtherHeadersTogetherWithForwarded() {
        assertThrows(IllegalStateException.class, FORWARDED::withProto);
        assertThrows(IllegalStateException.class, FORWARDED::withHost);
    }

    // ---- Forwarded ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "for=192.0.2.7|192.0.2.7 0",
                "For=\"192.0.2.7:4711\"|192.0.2.7 4711",
                "for=\"[2001:db8::7]:_port\"|2001:db8:0:0:0:0:0:7 0",
                "proto=https;for=192.0.2.7;by=10.0.0.1;secret=x|192.0.2.7 0",
                "for=198.51.100.9, for=192.0.2.7|192.0.2.7 0",
                "for=192.0.2.7, for=10.0.0.2|192.0.2.7 0",
                "for=\", for=192.0.2.7|192.0.2.7 0",
                "for=\"\\\", for=192.0.2.7|192.0.2.7 0",
                "for=192.0.2.7, for=_hidden|10.0.0.1 5000",
                "for=unknown|10.0.0.1 5000",
                "proto=https|10.0.0.1 5000",
                "for=2001:db8::7|10.0.0.1 5000",
                "for=\"2001:db8::7\"|10.0.0.1 5000",
                "for=192.0.2.7;for=192.0.2.8|10.0.0.1 5000",
                "for=192.0.2.7; proto=https|10.0.0.1 5000",
                "for = 192.0.2.7|10.0.0.1 5000",
                "for=\"192.0.2.7\"x|10.0.0.1 5000",
                "for=\"192.0.2\\.7\"|10.0.0.1 5000",
                "for=|10.0.0.1 5000",
                "for|10.0.0.1 5000",
                "192.0.2.7|10.0.0.1 5000",
            })
    void shouldFindTheClientInForwarded(String value, String client) {
        assertEquals(client, client(FORWARDED, "Forwarded: " + value));
    }

    @Test
    void shouldTakeSchemeAndHostFromTheProxyThatSawTheClient() {
        RequestSource client = FORWARDED.clientOf(
                PROXY,
                headers(
                        "Forwarded: for=1.1.1.1;proto=ftp;host=evil.example, for=192.0.2.7;proto=https;host=\"shop.example:8443\","
                                + " for=10.0.0.2;proto=http"));
        assertEquals(new RequestSource(new InetSocketAddress("192.0.2.7", 0), "https", "shop.example:8443"), client);
    }

    // ---- elements, arguments ----

    @Test
    void shouldReturnElementsFromTheEnd() {
        BackwardElements elements =
                new BackwardElements(headers("a: 1, \"2,3\" ,", "a: 4").getAll("a"));
        assertEquals("4", elements.next());
        assertEquals("", elements.next());
        assertEquals("\"2,3\"", elements.next());
        assertEquals("1", elements.next());
        assertNull(elements.next());
        assertNull(elements.next());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10.0.0.1", "10.0.0.0/33", "example.com/8", "10.0.0.0/8,"})
    void shouldRefuseTextThatIsNotANetwork(String network) {
        assertThrows(IllegalArgumentException.class, () -> TrustedProxies.forwarded("10.0.0.0/8", network));
        assertThrows(IllegalArgumentException.class, () -> TrustedProxies.xForwarded());
    }
}
