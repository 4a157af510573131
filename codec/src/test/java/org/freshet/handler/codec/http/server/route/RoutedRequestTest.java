package org.freshet.handler.codec.http.server.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutedRequestTest {
    private static RoutedRequest get(String target) {
        return new RoutedRequest(null, new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target), null);
    }

    private static RoutedRequest post(String contentType, byte[] content) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        if (contentType != null) {
            request.headers().set("Content-Type", contentType);
        }
        request.setContent(ChannelBuffers.wrappedBuffer(content));
        return new RoutedRequest(null, request, null);
    }

    private static int status(Runnable code) {
        return assertThrows(HttpStatusException.class, code::run)
                .suggestedStatus()
                .getCode();
    }

    @Test
    void shouldReturnThePartsOfTheRequest() {
        RoutedRequest request = get("http://a/b%20c?d=e");
        request.request().headers().add("X-Two", "1").add("X-Two", "2");
        assertEquals(HttpMethod.GET, request.method());
        assertEquals("/b%20c", request.path());
        assertEquals("1", request.header("x-two"));
        assertNull(request.header("X-None"));
        assertEquals("", request.text());
        assertEquals(0, request.content().readableBytes());
    }

    @Test
    void shouldDecodeTheQuery() {
        RoutedRequest request = get("/?a=1&b=%C3%A4+%2b&a=2;3&c&=d&e==f&&g=");
        assertEquals(
                Map.of(
                        "a", List.of("1", "2;3"),
                        "b", List.of("\u00e4 +"),
                        "c", List.of(""),
                        "d", List.of(""),
                        "e", List.of("=f"),
                        "g", List.of("")),
                request.queryParameters());
        assertEquals("1", request.queryParameter("a"));
        assertEquals(List.of("1", "2;3"), request.queryParameters("a"));
        assertNull(request.queryParameter("z"));
        assertEquals(List.of(), request.queryParameters("z"));
        int first = request.queryParameter("a", Integer::valueOf);
        assertEquals(1, first);
        assertNull(request.queryParameter("z", Integer::valueOf));
        assertEquals(400, status(() -> request.queryParameter("b", Integer::valueOf)));
        assertThrows(
                UnsupportedOperationException.class,
                () -> request.queryParameters().clear());
        assertThrows(
                UnsupportedOperationException.class,
                () -> request.queryParameters("a").clear());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/?", "http://a", "http://a/?", "*"})
    void shouldHaveNoParametersWithoutAQuery(String target) {
        assertEquals(Map.of(), get(target).queryParameters());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/?name=%", "/?a=%4", "/?%zz=1", "/?a=%%", "/?a=b%", "http://a?b=%x1"})
    void shouldAnswer400ToAMalformedQuery(String target) {
        RoutedRequest request = get(target);
        assertEquals(400, status(request::queryParameters));
        assertEquals(400, status(() -> request.queryParameter("unrelated")));
    }

    @Test
    void shouldAnswer400ToTooManyParameters() {
        assertEquals(1024, get("/?" + parameters(1024)).queryParameters().size());
        assertEquals(400, status(get("/?" + parameters(1025))::queryParameters));
        assertEquals(400, status(get("/?" + "a&".repeat(100_000))::queryParameters));
    }

    private static String parameters(int count) {
        StringBuilder query = new StringBuilder();
        for (int i = 0; i < count; i++) {
            query.append("&p").append(i).append("=1");
        }
        return query.toString();
    }

    // ---- content ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                " | UTF-8",
                "text/plain | UTF-8",
                "application/json; charset=utf-8 | UTF-8",
                "text/plain;charset=ISO-8859-1 | ISO-8859-1",
                "text/plain; CHARSET=\"iso-8859-1\" | ISO-8859-1",
                "text/plain; a=\"; charset=utf-16\"; charset=iso-8859-1 | ISO-8859-1",
                "text/plain; xcharset=utf-16 | UTF-8",
                "text/plain; charset=UTF-16LE; charset=UTF-8 | UTF-16LE",
            })
    void shouldDecodeTheContentAccordingToItsType(String contentType, String charset) {
        byte[] content = "\u00e4\u00f6".getBytes(Charset.forName(charset));
        RoutedRequest request = post(contentType, content);
        assertEquals("\u00e4\u00f6", request.text());
        assertEquals("\u00e4\u00f6", request.text()); // nothing is consumed
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain; charset=nonsense", "text/plain; charset=", "text/plain; charset=\"a b\""})
    void shouldAnswer415ToAnUnknownCharset(String contentType) {
        assertEquals(415, status(post(contentType, new byte[] {1})::text));
    }

    @Test
    void shouldAnswer400ToContentThatIsInvalidInItsCharset() {
        assertEquals(400, status(post(null, new byte[] {(byte) 0xff})::text));
        assertEquals(
                "\u20ac",
                post("text/plain", "\u20ac".getBytes(StandardCharsets.UTF_8)).text());
    }
}
