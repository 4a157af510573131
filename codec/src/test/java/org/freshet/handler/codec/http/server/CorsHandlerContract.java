package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.server.Connection.header;
import static org.freshet.handler.codec.http.server.Connection.status;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Behavior shared by HTTP/1.1 and HTTP/2. */
abstract class CorsHandlerContract {
    final TextClient.Wire wire;

    CorsHandlerContract(TextClient.Wire wire) {
        this.wire = wire;
    }

    static final CorsRules RULES = CorsRules.builder()
            .allow(
                    "https://app.example",
                    rule -> rule.methods("GET", "PUT")
                            .headers("X-Token", "Content-Type")
                            .exposedHeaders("X-Total", "ETag")
                            .credentials(true)
                            .maxAge(Duration.ofMinutes(10)))
            .allowIf(origin -> origin.endsWith(".example"), rule -> rule.anyHeader(true))
            .allow("null", rule -> {})
            .build();

    static final CorsRules PUBLIC = CorsRules.builder().allowAny(rule -> {}).build();

    /** Answers with the headers named in the target, immediately or on demand. */
    static final class Application extends SimpleChannelUpstreamHandler {
        private final Queue<HttpRequest> held = new ArrayDeque<>();
        boolean holds;
        int requests;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            requests++;
            held.add((HttpRequest) e.getMessage());
            if (!holds) {
                answer(ctx.getChannel());
            }
        }

        void answer(Channel channel) {
            HttpRequest request = held.remove();
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            if (request.getUri().startsWith("/vary=")) {
                response.headers().set("Vary", request.getUri().substring("/vary=".length()));
            }
            response.setContent(ChannelBuffers.copiedBuffer("answer", ISO_8859_1));
            HttpHeaders.setContentLength(response, 6);
            channel.write(response);
        }
    }

    /** Refers to the last connection. */
    Application application = new Application();

    Connection connect(CorsRules rules, boolean refuses) {
        boolean holds = application.holds;
        application = new Application();
        application.holds = holds;
        return new Connection(wire, () -> new ChannelHandler[] {new CorsHandler(rules, refuses), application});
    }

    // ---- requests ----

    @ParameterizedTest
    @CsvSource({
        "https://app.example,https://app.example,true",
        "https://other.example,https://other.example,",
        "http://a.b.example,http://a.b.example,",
        "null,null,",
        "https://app.example:8443,,",
        "https://app.example.evil.com,,",
        "https://evil.com,,",
        "https://APP.EXAMPLE,,",
        "NULL,,",
        "'',,",
    })
    void shouldReturnTheAllowedOrigin(String origin, String allowed, String credentials) {
        String answer = connect(RULES, false).request("GET", "/", "Origin: " + origin);
        assertEquals(200, status(answer), "the request still passes");
        assertEquals(allowed, header(answer, "Access-Control-Allow-Origin"));
        assertEquals(credentials, header(answer, "Access-Control-Allow-Credentials"));
        assertEquals(credentials == null ? null : "X-Total, ETag", header(answer, "Access-Control-Expose-Headers"));
        assertEquals("Origin", header(answer, "Vary"));
    }

    @Test
    void shouldAllowAllOriginsWithAStar() {
        Connection connection = connect(PUBLIC, false);
        for (String origin : new String[] {"https://evil.com", "null"}) {
            String answer = connection.request("GET", "/", "Origin: " + origin);
            assertEquals("*", header(answer, "Access-Control-Allow-Origin"));
            assertNull(header(answer, "Access-Control-Allow-Credentials"));
            assertEquals("Origin", header(answer, "Vary"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"Cookie | Cookie,Origin", "Origin | Origin", "Cookie, oRiGiN | Cookie, oRiGiN", "* | *"})
    void shouldAddToVaryAndReplaceNothing(String before, String after) {
        for (CorsRules rules : new CorsRules[] {RULES, PUBLIC}) {
            Connection connection = connect(rules, false);
            String answer = connection.request("GET", "/vary=" + before.replace(", ", ","), "Origin: null");
            String joined = String.join(
                    ",",
                    answer.lines()
                            .filter(line -> line.startsWith("Vary: "))
                            .map(line -> line.substring(6))
                            .toList());
            assertEquals(after.replace(", ", ","), joined);
        }
    }

    @Test
    void shouldSendVaryEvenWithoutAnOrigin() {
        String answer = connect(RULES, true).request("GET", "/");
        assertEquals(200, status(answer));
        assertEquals("Origin", header(answer, "Vary"));
        assertNull(header(answer, "Access-Control-Allow-Origin"));
    }

    @Test
    void shouldNotAllowSeveralOrigins() {
        String answer =
                connect(RULES, false).request("GET", "/", "Origin: https://app.example", "Origin: https://app.example");
        assertNull(header(answer, "Access-Control-Allow-Origin"));
    }

    // ---- preflights ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://app.example | GET | '' | 204",
                "https://app.example | PUT | x-token | 204",
                "https://app.example | PUT | X-Token, content-type | 204",
                "https://app.example | PUT | x-token,, x-other | 403",
                "https://app.example | POST | '' | 403",
                "https://app.example | put | '' | 403",
                "https://other.example | POST | anything, else | 204",
                "https://other.example | POST | any thing | 403",
                "https://other.example | DELETE | '' | 403",
                "null | GET | '' | 204",
                "https://evil.com | GET | '' | 403",
            })
    void shouldAnswerPreflights(String origin, String method, String headers, int status) {
        String answer = connect(RULES, false)
                .request(
                        "OPTIONS",
                        "/",
                        "Origin: " + origin,
                        "Access-Control-Request-Method: " + method,
                        headers.isEmpty() ? "X: y" : "Access-Control-Request-Headers: " + headers);
        assertEquals(status, status(answer), answer);
        assertEquals(status == 204 ? origin : null, header(answer, "Access-Control-Allow-Origin"));
        assertEquals(status == 204, header(answer, "Access-Control-Allow-Methods") != null);
        assertEquals(
                status == 204 && !headers.isEmpty() ? headers.toLowerCase() : null,
                header(answer, "Access-Control-Allow-Headers"));
        for (String name : new String[] {"Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers"}) {
            assertTrue(answer.contains("Vary: " + name + "\r\n"), answer);
        }
        assertEquals(0, application.requests);
    }

    @Test
    void shouldListEverythingARuleAllows() {
        String answer = connect(RULES, false)
                .request("OPTIONS", "/", "Origin: https://app.example", "Access-Control-Request-Method: PUT");
        assertEquals("GET, PUT", header(answer, "Access-Control-Allow-Methods"));
        assertEquals("true", header(answer, "Access-Control-Allow-Credentials"));
        assertEquals("600", header(answer, "Access-Control-Max-Age"));
        assertNull(header(answer, "Access-Control-Expose-Headers"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin: null", "Access-Control-Request-Method: GET"})
    void shouldPassOtherOptions(String only) {
        assertEquals(200, status(connect(RULES, true).request("OPTIONS", "/", only)));
        assertEquals(1, application.requests);
    }

    // ---- refusing ----

    @ParameterizedTest
    @CsvSource({
        "https://evil.com,403",
        "https://app.example,200",
        "http://test,200", // the server's own pages
        "HTTP://TEST:80,200",
        "https://test,403", // another server on this host
        "http://test:443,403",
        "http://test:81,403",
        "test,403",
        "http://testing,403",
        "null,200",
    })
    void shouldRefuseOtherOriginsIfConfigured(String origin, int status) {
        String answer = connect(RULES, true).request("POST", "/", "Origin: " + origin);
        assertEquals(status, status(answer));
        assertEquals("Origin", header(answer, "Vary"));
        assertEquals(status == 200 ? 1 : 0, application.requests);
    }

    /** The authority of an absolute target takes precedence over Host (RFC 9112 3.2.2). */
    @ParameterizedTest
    @CsvSource({
        "http://other/x, http://other, 200",
        "http://other/x, http://test, 403",
        "http://other:80/x, http://other, 200",
        "http://other:8080/x, http://other:8080, 200",
        "https://other/x, https://other:443, 200",
        "https://other/x, http://other, 403"
    })
    void shouldCompareTheOriginWithAnAbsoluteTarget(String target, String origin, int status) {
        assumeTrue(wire == TextClient.Wire.HTTP_1, "HTTP/2 has no such targets");
        assertEquals(status, status(connect(RULES, true).request("POST", target, "Origin: " + origin)));
    }

    @Test
    void shouldNotTakeAnythingForTheOriginNull() {
        CorsRules withoutNull =
                CorsRules.builder().allowIf(origin -> true, rule -> {}).build();
        assertEquals(403, status(connect(withoutNull, true).request("GET", "/", "Origin: null")));
        assertEquals(200, status(connect(withoutNull, true).request("GET", "/", "Origin: https://x")));
        CorsRules onlyNull = CorsRules.builder().allow("null", rule -> {}).build();
        assertEquals(403, status(connect(onlyNull, true).request("GET", "/", "Origin: https://evil.com")));
    }
}
