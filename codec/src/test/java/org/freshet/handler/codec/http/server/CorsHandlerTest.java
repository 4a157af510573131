package org.freshet.handler.codec.http.server;

import static org.freshet.handler.codec.http.server.Connection.header;
import static org.freshet.handler.codec.http.server.Connection.status;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules, and the order of answers on an HTTP/1.1 connection. */
class CorsHandlerTest extends CorsHandlerContract {
    CorsHandlerTest() {
        super(TextClient.Wire.HTTP_1);
    }

    // ---- order, rules ----

    @Test
    void shouldAnswerAPreflightInItsTurn() {
        application.holds = true;
        Connection connection = connect(RULES, false);
        assertEquals(
                "",
                connection.send(
                        "GET /vary=1 HTTP/1.1\r\nHost: h\r\n\r\nOPTIONS / HTTP/1.1\r\nHost: h\r\nOrigin: null\r\n"
                                + "Access-Control-Request-Method: GET\r\n\r\n"));
        application.answer(connection.client.channel());
        String answers = connection.takeSent();
        assertEquals(200, status(answers));
        assertTrue(answers.indexOf("204 No Content") > answers.indexOf("answer"), answers);
    }

    @Test
    void shouldReportTheEndOfTheInputAfterWaitingRequests() {
        application.holds = true;
        List<Integer> requestsBeforeTheEnd = new ArrayList<>();
        ChannelHandler atTheEnd = new SimpleChannelUpstreamHandler() {
            @Override
            public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) {
                requestsBeforeTheEnd.add(application.requests);
            }
        };
        Connection connection =
                new Connection(wire, () -> new ChannelHandler[] {new CorsHandler(RULES, false), application, atTheEnd});
        connection.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nOPTIONS / HTTP/1.1\r\nHost: h\r\nOrigin: null\r\n"
                + "Access-Control-Request-Method: GET\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n");
        Channel channel = connection.client.channel();
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));
        assertEquals(List.of(), requestsBeforeTheEnd, "the preflight and the requests after it wait");
        application.answer(channel);
        assertEquals(List.of(2), requestsBeforeTheEnd);
    }

    @Test
    void shouldCloseAfterAPreflightWhoseClientAskedForIt() {
        Connection connection = connect(RULES, false);
        String answer = connection.request(
                "OPTIONS", "/", "Origin: null", "Access-Control-Request-Method: GET", "Connection: close");
        assertEquals("close", header(answer, "Connection"));
        assertFalse(connection.client.channel().isOpen());
    }

    @Test
    void shouldMatchPipelinedRequestsWithTheirAnswers() {
        application.holds = true;
        Connection connection = connect(RULES, false);
        String[] origins = {"https://app.example", "https://evil.com", "null"};
        for (String origin : origins) {
            connection.request("GET", "/", "Origin: " + origin);
        }
        for (String allowed : new String[] {"https://app.example", null, "null"}) {
            application.answer(connection.client.channel());
            assertEquals(allowed, header(connection.takeSent(), "Access-Control-Allow-Origin"));
        }
    }

    @Test
    void shouldRefuseRulesThatAllowTooMuch() {
        CorsRules.Builder builder = CorsRules.builder();
        assertThrows(IllegalArgumentException.class, () -> builder.allowAny(rule -> rule.credentials(true)));
        for (String origin :
                new String[] {"*", "example.org", "https://", "https://a/", "https://A.b", "https://a b", "NULL", ""}) {
            assertThrows(IllegalArgumentException.class, () -> builder.allow(origin, rule -> {}), origin);
        }
        assertFalse(builder.build().find("https://a") != null);
    }

    @Test
    void shouldIgnoreLaterChangesOfARule() {
        CorsRules.Rule[] kept = new CorsRules.Rule[1];
        CorsRules rules =
                CorsRules.builder().allow("https://a", rule -> kept[0] = rule).build();
        kept[0].credentials(true).methods("DELETE");
        assertFalse(rules.find("https://a").allowsCredentials());
        assertFalse(rules.find("https://a").allowsMethod("DELETE"));
    }

    /** A page loaded without TLS has another origin than the server it sends to over TLS. */
    @ParameterizedTest
    @CsvSource({"https://h, 200", "https://h:443, 200", "http://h, 403", "http://h:443, 403"})
    void shouldCompareTheSchemeWithTls(String origin, int status) throws Exception {
        SelfSignedCertificate certificate = Certificates.named("localhost");
        SslHandler tls = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .build()
                .newHandler();
        MemoryChannel channel = MemoryChannel.connected(new CorsHandler(CorsHandlerContract.RULES, true));
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        request.headers().set("Host", "h");
        channel.getPipeline().addFirst("tls", tls);
        assertEquals(status == 200, RequestOrigin.isSame(origin, request, channel));
        channel.getPipeline().remove(tls);
        assertEquals(origin.equals("http://h"), RequestOrigin.isSame(origin, request, channel));
    }

    private static final CorsRules FAILING = CorsRules.builder()
            .allowIf(
                    origin -> {
                        throw new IllegalStateException("a rule's fault");
                    },
                    rule -> {})
            .build();

    private static List<String> caught(Connection connection) {
        return connection.client.takeCaught().stream()
                .map(Throwable::getMessage)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReportARuleThatFailsOnceAndContinue(boolean refuses) {
        Connection connection = connect(FAILING, refuses);
        connection.request("GET", "/", "Origin: https://app.example");
        assertEquals(List.of("a rule's fault"), caught(connection));
        connection.request("GET", "/");
        assertEquals(1, application.requests);
        assertEquals(List.of(), caught(connection));
    }

    /** It cannot be answered. */
    @Test
    void shouldCloseOnAPreflightWhoseRuleFails() {
        Connection connection = connect(FAILING, false);
        connection.request("OPTIONS", "/", "Origin: https://app.example", "Access-Control-Request-Method: GET");
        assertEquals(List.of("a rule's fault"), caught(connection));
        assertFalse(connection.client.channel().isOpen());
    }
}
