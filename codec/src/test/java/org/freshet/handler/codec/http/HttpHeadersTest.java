package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.text.ParseException;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The static methods of {@link HttpHeaders}, which change a message. */
class HttpHeadersTest {
    private static final Date DATE = new Date(784_111_777_000L);
    private static final String DATE_TEXT = "Sun, 06 Nov 1994 08:49:37 GMT";

    private final HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/x");
    private final HttpHeaders headers = request.headers();

    @Test
    void shouldReadAndChangeTheHeadersOfAMessage() {
        assertNull(HttpHeaders.getHeader(request, "a"));
        assertEquals("none", HttpHeaders.getHeader(request, "a", "none"));
        HttpHeaders.setHeader(request, "a", 1);
        HttpHeaders.addHeader(request, "A", 2);
        assertEquals(List.of("1", "2"), headers.getAll("a"));
        assertEquals("1", HttpHeaders.getHeader(request, "a"));
        assertEquals("1", HttpHeaders.getHeader(request, "a", "none"));
        HttpHeaders.setHeader(request, "a", List.of(3, 4));
        assertEquals(List.of("3", "4"), headers.getAll("a"));

        HttpHeaders.setHeader(request, "b", "x");
        HttpHeaders.removeHeader(request, "a");
        assertEquals(List.of("b"), List.copyOf(headers.names()));
        HttpHeaders.clearHeaders(request);
        assertTrue(headers.isEmpty());
    }

    @Test
    void shouldReadAndChangeTheHost() {
        assertNull(HttpHeaders.getHost(request));
        assertEquals("default", HttpHeaders.getHost(request, "default"));
        HttpHeaders.setHost(request, "example.com");
        assertEquals("example.com", HttpHeaders.getHost(request));
        assertEquals("example.com", HttpHeaders.getHost(request, "default"));
    }

    @Test
    void shouldReadAndChangeNumbers() {
        HttpHeaders.setIntHeader(request, "n", 7);
        assertEquals(7, HttpHeaders.getIntHeader(request, "n"));
        assertEquals(7, HttpHeaders.getIntHeader(request, "n", 9));
        HttpHeaders.setIntHeader(request, "n", 8);
        assertEquals(List.of("8"), headers.getAll("n"));
        headers.set("n", "8x");
        assertEquals(9, HttpHeaders.getIntHeader(request, "n", 9));
        assertThrows(NumberFormatException.class, () -> HttpHeaders.getIntHeader(request, "n"));
    }

    @Test
    void shouldReadAndChangeDates() throws ParseException {
        HttpHeaders.setDateHeader(request, "d", DATE);
        assertEquals(DATE_TEXT, headers.get("d"));
        assertEquals(DATE, HttpHeaders.getDateHeader(request, "d"));
        assertEquals(DATE, HttpHeaders.getDateHeader(request, "d", null));
        HttpHeaders.addDateHeader(request, "d", new Date(0));
        assertEquals(List.of(DATE_TEXT, "Thu, 01 Jan 1970 00:00:00 GMT"), headers.getAll("d"));
        HttpHeaders.setDateHeader(request, "d", List.of(DATE, DATE));
        assertEquals(List.of(DATE_TEXT, DATE_TEXT), headers.getAll("d"));
        HttpHeaders.setDateHeader(request, "d", (Date) null);
        assertFalse(headers.contains("d"));
    }

    @Test
    void shouldReturnTheDefaultOnlyForADateThatIsMissingOrMalformed() {
        assertEquals(DATE, HttpHeaders.getDateHeader(request, "d", DATE));
        assertThrows(ParseException.class, () -> HttpHeaders.getDateHeader(request, "d"));
        headers.set("d", "yesterday");
        assertEquals(DATE, HttpHeaders.getDateHeader(request, "d", DATE));
        assertThrows(ParseException.class, () -> HttpHeaders.getDateHeader(request, "d"));
        headers.set("Date", "yesterday");
        assertEquals(DATE, HttpHeaders.getDate(request, DATE));
    }

    @Test
    void shouldCloseTheConnectionOfTheOlderVersionByDefault() {
        request.setProtocolVersion(HttpVersion.HTTP_1_0);
        headers.set("Connection", "keep-alive");

        HttpHeaders.setKeepAlive(request, false);

        assertFalse(headers.contains("Connection"));
    }

    @Test
    void shouldImplyALengthOnlyForARequestWithBothKeysOfDraft76() {
        headers.set("Sec-WebSocket-Key1", "1");
        assertEquals(-5, HttpHeaders.getContentLength(request, -5));
        assertThrows(NumberFormatException.class, () -> HttpHeaders.getContentLength(request));
        headers.set("Sec-WebSocket-Key2", "2");
        assertEquals(8, HttpHeaders.getContentLength(request, -5));
        headers.remove("Sec-WebSocket-Key1");
        assertEquals(-5, HttpHeaders.getContentLength(request, -5));
        headers.set("Sec-WebSocket-Key1", "1");
        request.setMethod(HttpMethod.POST);
        assertEquals(-5, HttpHeaders.getContentLength(request, -5));
        headers.set("Content-Length", 3);
        assertEquals(3, HttpHeaders.getContentLength(request));
        assertEquals(3, HttpHeaders.getContentLength(request, -5));
    }

    @Test
    void shouldImplyALengthOnlyForTheAnswerToDraft76() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        assertEquals(-5, HttpHeaders.getContentLength(response, -5));
        response.headers().set("Sec-WebSocket-Origin", "a");
        assertEquals(-5, HttpHeaders.getContentLength(response, -5));
        response.headers().set("Sec-WebSocket-Location", "b");
        assertEquals(16, HttpHeaders.getContentLength(response, -5));
        response.headers().remove("Sec-WebSocket-Origin");
        assertEquals(-5, HttpHeaders.getContentLength(response, -5));
        response.headers().set("Sec-WebSocket-Origin", "a");
        response.setStatus(HttpResponseStatus.OK);
        assertEquals(-5, HttpHeaders.getContentLength(response, -5));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "chunked|''",
                "gzip, chunked|gzip",
                "chunked, gzip|gzip",
                "a , CHUNKED ,b|a, b",
                "chunkedx|chunkedx"
            })
    void shouldRemoveOnlyTheChunkedCoding(String codings, String left) {
        headers.set("Transfer-Encoding", codings);

        HttpHeaders.removeTransferEncodingChunked(request);

        assertEquals(left.isEmpty() ? List.of() : List.of(left), headers.getAll("Transfer-Encoding"));
        assertEquals(!left.isEmpty(), headers.contains("Transfer-Encoding"));
    }

    @Test
    void shouldRemoveLinesThatOnlyNameTheChunkedCoding() {
        headers.add("Transfer-Encoding", "gzip").add("Transfer-Encoding", "chunked");

        HttpHeaders.removeTransferEncodingChunked(request);

        assertEquals(List.of("gzip"), headers.getAll("Transfer-Encoding"));
    }

    @Test
    void shouldAddTheChunkedCodingOnceAndToTheLastLine() {
        HttpHeaders.setTransferEncodingChunked(request);
        HttpHeaders.setTransferEncodingChunked(request);
        assertEquals(List.of("chunked"), headers.getAll("Transfer-Encoding"));

        headers.set("Transfer-Encoding", List.of("br", "gzip"));
        HttpHeaders.setTransferEncodingChunked(request);
        assertEquals(List.of("br", "gzip, chunked"), headers.getAll("Transfer-Encoding"));
    }

    @Test
    void shouldReplaceAnotherExpectationButKeepThatOfContinue() {
        headers.set("Expect", "something");
        HttpHeaders.set100ContinueExpected(request, true);
        assertEquals(List.of("100-continue"), headers.getAll("Expect"));

        headers.set("Expect", List.of("something", "100-Continue"));
        HttpHeaders.set100ContinueExpected(request);
        assertEquals(List.of("something", "100-Continue"), headers.getAll("Expect"));
        assertTrue(HttpHeaders.is100ContinueExpected(request));
    }

    @Test
    void shouldExpectContinueInNoResponse() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set("Expect", "100-continue");

        assertFalse(HttpHeaders.is100ContinueExpected(response));
    }
}
