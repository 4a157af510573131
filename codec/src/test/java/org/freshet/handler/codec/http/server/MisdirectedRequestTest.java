package org.freshet.handler.codec.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.CloseReason;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpViolation;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which requests a connection accepts, depending on the name its client asked for in the handshake.
 * HttpServerPipelineMatrixTest covers real handshakes.
 */
@Tag("crypto")
class MisdirectedRequestTest {
    private static final SslContext OTHER = context();
    private static final SslContext OPEN = context();
    private static final SslContext CLIENTS_ONLY = context();

    private static final TlsNames NAMES = new TlsNames(
            OTHER,
            Map.of(
                    "open.example", OPEN,
                    "www.open.example", OPEN,
                    "*.open.example", OPEN,
                    "admin.example", CLIENTS_ONLY,
                    "admin.open.example", CLIENTS_ONLY,
                    "xn--bcher-kva.example", OPEN));

    private static SslContext context() {
        try {
            SelfSignedCertificate certificate = Certificates.named("a.example");
            return SslContextBuilder.forServer(certificate.key(), certificate.cert())
                    .build();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static final HttpLimits LIMITS = HttpLimits.defaults().toBuilder()
            .maxPipelinedRequests(8)
            .allow(HttpViolation.MISSING_HOST)
            .build();

    /** A connection whose client asked for a name; null for no name. */
    private static WireExchange connect(TextClient.Wire wire, String name) {
        TlsNames.Choice choice = NAMES.newChoice();
        choice.choose(name);
        return new WireExchange(wire, LIMITS, () -> new ChannelHandler[0], () ->
                new ChannelHandler[] {new MisdirectedRequestGuard(choice), new HttpErrorResponder()});
    }

    private static boolean isPassed(WireExchange client, String request) {
        client.receive(request);
        boolean isPassed = !client.targets().isEmpty();
        String sent = client.sent();
        assertEquals(!isPassed, sent.startsWith("HTTP/1.1 421 "), sent);
        return isPassed;
    }

    private static String get(String host) {
        return "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    }

    @ParameterizedTest
    @CsvSource({
        "open.example, open.example, true",
        "open.example, OPEN.Example, true",
        "open.example, open.example:8443, true",
        "open.example, open.example:, true",
        "open.example, open.example., true",
        "open.example, open.example.:443, true",
        "open.example, www.open.example, true",
        "www.open.example, any.open.example, true",
        "open.example, XN--BCHER-KVA.example, true",
        "open.example, admin.example, false",
        "open.example, admin.open.example, false",
        "open.example, ADMIN.example.:443, false",
        "open.example, a.any.open.example, false",
        "open.example, other.example, false",
        "open.example, example, false",
        "open.example, 127.0.0.1, false",
        "open.example, [::1]:443, false",
        "admin.example, open.example, false",
        "admin.example, admin.open.example, true",
        ", unknown.example, true",
        "unknown.example, other.example, true",
        ", 127.0.0.1:443, true",
        ", [::1], true",
        ", open.example, false",
        ", admin.example, false",
        "unknown.example, admin.example, false",
    })
    void shouldPassARequestIfItsHostLeadsToTheSameContext(String asked, String host, boolean isPassed) {
        for (TextClient.Wire wire : TextClient.Wire.values()) {
            assertEquals(isPassed, isPassed(connect(wire, asked), get(host)), wire::toString);
        }
    }

    @Test
    void shouldExplainTheStatus() {
        WireExchange client = connect(TextClient.Wire.HTTP_1, "open.example");
        client.receive(get("admin.example"));
        assertTrue(client.sent().startsWith("HTTP/1.1 421 Misdirected Request\r\n"));
    }

    /** Handlers read either of them. */
    @ParameterizedTest
    @CsvSource({
        "https://open.example/, open.example, true",
        "https://open.example:443?a, www.open.example, true",
        "https://admin.example/, open.example, false",
        "https://open.example/, admin.example, false",
        "HTTPS://ADMIN.example/, open.example, false",
    })
    void shouldCheckTheHostOfAnAbsoluteTargetAndOfTheHeader(String target, String host, boolean isPassed) {
        WireExchange client = connect(TextClient.Wire.HTTP_1, "open.example");
        assertEquals(isPassed, isPassed(client, "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n"));
    }

    @Test
    void shouldTakeARequestWithoutAHostForOneOfAClientThatNamesNone() {
        for (String request : List.of("GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost:\r\n\r\n")) {
            assertTrue(isPassed(connect(TextClient.Wire.HTTP_1, null), request));
            assertFalse(isPassed(connect(TextClient.Wire.HTTP_1, "admin.example"), request));
        }
    }

    @Test
    void shouldLeaveTheTargetOfATunnelToTheApplication() {
        WireExchange client = connect(TextClient.Wire.HTTP_1, "open.example");
        client.receive("CONNECT admin.example:443 HTTP/1.1\r\nHost: admin.example:443\r\n\r\n");
        assertTrue(client.sent().startsWith("HTTP/1.1 405 "));
    }

    @ParameterizedTest
    @EnumSource(TextClient.Wire.class)
    void shouldPassOnNothingFromARefusedRequest(TextClient.Wire wire) {
        WireExchange client = connect(wire, "open.example");
        client.receive(
                "POST / HTTP/1.1\r\nHost: admin.example\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
        assertEquals(List.of(), client.takeReceived());
        assertEquals(List.of(), client.takeCaught());
        String sent = client.sent();
        assertTrue(sent.startsWith("HTTP/1.1 421 "), sent);
        CloseReason reason = client.channel().getCloseReason();
        assertEquals(CloseReason.Kind.PROTOCOL, reason.kind(), reason::toString);
        assertEquals(
                "the request is for admin.example, but the TLS connection is for open.example",
                reason.cause().getMessage());
    }

    /** HTTP/1.1 ends with the refusal: the same client sent the requests after it to the same server. */
    @Test
    void shouldAnswerRequestsBeforeAMisdirectedOneButNotAfterIt() {
        WireExchange client = connect(TextClient.Wire.HTTP_1, "open.example");
        client.receive(get("open.example") + get("admin.example") + get("open.example"));
        assertEquals(List.of("/"), client.targets());
        assertEquals("", client.sent());
        client.answer("first");
        String sent = client.sent();
        assertTrue(sent.indexOf("first") < sent.indexOf("HTTP/1.1 421 "), sent);
        assertFalse(client.channel().isOpen());
        assertEquals(List.of(), client.targets());
    }

    @Test
    void shouldContinueWithTheOtherStreamsOfAnHttp2Connection() {
        WireExchange client = connect(TextClient.Wire.HTTP_2, "open.example");
        assertTrue(isPassed(client, get("open.example")));
        assertFalse(isPassed(client, get("admin.example")));
        assertTrue(isPassed(client, get("www.open.example")));
    }

    private static HttpServerPipeline.Builder builder() {
        return HttpServerPipeline.builder(new FakeTimer()).handler("application", SimpleChannelUpstreamHandler::new);
    }

    @Test
    void shouldCheckNothingWithOneContextOrIfTheApplicationAcceptsAll() {
        assertNotNull(builder()
                .tls(OTHER, Map.of("a.example", OPEN))
                .build()
                .getPipeline()
                .get("misdirected"));
        assertNull(builder().tls(OTHER).build().getPipeline().get("misdirected"));
        assertNull(builder().build().getPipeline().get("misdirected"));
        assertNull(builder()
                .tls(OTHER, Map.of("a.example", OPEN))
                .allowMisdirected()
                .build()
                .getPipeline()
                .get("misdirected"));
    }
}
