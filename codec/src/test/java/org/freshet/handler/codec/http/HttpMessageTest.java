package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.text.ParsePosition;
import java.util.Date;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.rtsp.RtspMethods;
import org.freshet.handler.codec.rtsp.RtspVersions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpMessageTest {
    private final HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/x");
    private final ChannelBuffer oneByte = ChannelBuffers.wrappedBuffer(new byte[1]);

    @ParameterizedTest
    @ValueSource(strings = {"/a b", "/a\r\nX: y", "/a\n", "/\0", "/\u010a", "/\u010d", "/\u2028", "/a\t", "/\u007f"})
    void shouldRefuseATargetThatWouldEndTheRequestLine(String target) {
        assertThrows(
                IllegalArgumentException.class,
                () -> new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target));
        assertThrows(IllegalArgumentException.class, () -> request.setUri(target));
        assertEquals("/x", request.getUri());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "G T", "GET\r\nX", "G\u0001T", "a:b", "G\u010aT", "GE\u010d", "caf\u00e9"})
    void shouldRefuseAMethodThatIsNoToken(String name) {
        assertThrows(IllegalArgumentException.class, () -> new HttpMethod(name));
        assertThrows(IllegalArgumentException.class, () -> HttpMethod.valueOf(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\rb", "a\nb", "\0", "a\u010d", "\u010a"})
    void shouldRefuseAReasonThatWouldEndTheStatusLine(String reason) {
        assertThrows(IllegalArgumentException.class, () -> new HttpResponseStatus(200, reason));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "HTTP/1",
                "HTTP/-1.1",
                "H T/1.1",
                "HTTP/1.1\r\nX: y/1.1",
                "HTTP/1.1x",
                "/1.1",
                "HTTP1.1",
                "H\u010aP/1.1"
            })
    void shouldRefuseAnInvalidVersion(String text) {
        assertThrows(IllegalArgumentException.class, () -> HttpVersion.valueOf(text));
    }

    /** CVE-2026-93565: characters that are trimmed here are not trimmed by every reader. */
    @ParameterizedTest
    @ValueSource(strings = {"\u0001", "\t", "\n", "\r\n", "\0", "\u000b"})
    void shouldRefuseControlsAroundAMethodOrAVersion(String control) {
        for (String side : List.of("before", "behind")) {
            UnaryOperator<String> with = text -> side.equals("before") ? control + text : text + control;
            assertThrows(IllegalArgumentException.class, () -> HttpMethod.valueOf(with.apply("GET")));
            assertThrows(IllegalArgumentException.class, () -> new HttpMethod(with.apply("X")));
            assertThrows(IllegalArgumentException.class, () -> HttpVersion.valueOf(with.apply("HTTP/1.1")));
            assertThrows(IllegalArgumentException.class, () -> new HttpVersion(with.apply("HTTP"), 1, 1, true));
            assertThrows(IllegalArgumentException.class, () -> RtspMethods.valueOf(with.apply("PLAY")));
            assertThrows(IllegalArgumentException.class, () -> RtspVersions.valueOf(with.apply("RTSP/1.0")));
        }
    }

    @Test
    void shouldTakeAVersionApart() {
        HttpVersion version = new HttpVersion(" rtsp/12.34 ", false);
        assertEquals("RTSP", version.getProtocolName());
        assertEquals(12, version.getMajorVersion());
        assertEquals(34, version.getMinorVersion());
        assertEquals("RTSP/12.34", version.toString());
        assertFalse(version.isKeepAliveDefault());
        assertTrue(HttpVersion.valueOf("HTTP/2.0").isKeepAliveDefault());
        assertEquals(version, new HttpVersion(" rtsp ", 12, 34, true));
        assertEquals(version.hashCode(), new HttpVersion("RTSP", 12, 34, true).hashCode());
        assertFalse(version.equals(HttpVersion.HTTP_1_1));
        assertFalse(version.equals((Object) "RTSP/12.34"));
        assertEquals("X/999999999.0", HttpVersion.valueOf("X/999999999.0").getText());
        assertThrows(IllegalArgumentException.class, () -> HttpVersion.valueOf("X/1000000000.0"));
        assertThrows(IllegalArgumentException.class, () -> HttpVersion.valueOf("X/1."));
        assertThrows(IllegalArgumentException.class, () -> HttpVersion.valueOf("X/.1"));
        assertThrows(IllegalArgumentException.class, () -> new HttpVersion("X", -1, 0, true));
        assertThrows(IllegalArgumentException.class, () -> new HttpVersion("X", 0, -1, true));
        assertEquals("X/0.0", new HttpVersion("X", 0, 0, true).getText());
    }

    @Test
    void shouldOrderVersionsByNameAndThenByNumber() {
        List<HttpVersion> inOrder = List.of(
                HttpVersion.valueOf("HTTP/0.9"),
                HttpVersion.HTTP_1_0,
                HttpVersion.HTTP_1_1,
                HttpVersion.valueOf("HTTP/1.10"),
                HttpVersion.valueOf("HTTP/2.0"),
                HttpVersion.valueOf("RTSP/1.0"));
        for (int i = 0; i < inOrder.size(); i++) {
            for (int j = 0; j < inOrder.size(); j++) {
                assertEquals(
                        Integer.signum(i - j),
                        Integer.signum(inOrder.get(i).compareTo(inOrder.get(j))),
                        inOrder.get(i) + " and " + inOrder.get(j));
            }
        }
    }

    @Test
    void shouldAcceptVersionsLikeNetty3() {
        assertSame(HttpVersion.HTTP_1_1, HttpVersion.valueOf(" http/1.1 "));
        assertSame(HttpVersion.HTTP_1_0, HttpVersion.valueOf("HTTP/1.0"));
        assertEquals("RTSP/1.0", HttpVersion.valueOf("rtsp/1.0").getText());
        assertTrue(HttpVersion.valueOf("RTSP/1.0").isKeepAliveDefault());
        assertTrue(HttpVersion.HTTP_1_0.compareTo(HttpVersion.HTTP_1_1) < 0);
        assertEquals("get", HttpMethod.valueOf("get").getName());
        assertSame(HttpMethod.GET, HttpMethod.valueOf(" GET "));
    }

    @Test
    void shouldHoldContentOrBeChunked() {
        request.setContent(oneByte);
        assertSame(oneByte, request.getContent());

        request.setChunked(true);
        assertFalse(request.getContent().readable());
        assertThrows(IllegalArgumentException.class, () -> request.setContent(oneByte));

        request.setChunked(false);
        request.setContent(oneByte);
        request.setChunked(false);
        assertSame(oneByte, request.getContent(), "only setting true drops it");
        request.setContent(null);
        assertSame(ChannelBuffers.EMPTY_BUFFER, request.getContent());
    }

    @Test
    void shouldRecogniseTheLastChunkByItsContent() {
        assertFalse(new DefaultHttpChunk(oneByte).isLast());
        assertTrue(new DefaultHttpChunk(ChannelBuffers.EMPTY_BUFFER).isLast());
        assertTrue(HttpChunk.LAST_CHUNK.isLast());
        assertTrue(HttpChunk.LAST_CHUNK.toString().contains("LAST_CHUNK"), "in a log");
        assertThrows(IllegalStateException.class, () -> HttpChunk.LAST_CHUNK.setContent(oneByte));
        assertThrows(
                UnsupportedOperationException.class,
                () -> HttpChunk.LAST_CHUNK.trailingHeaders().add("a", "b"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Content-Length", "transfer-encoding", "TRAILER", "Host", "Cookie", "Connection", "If-Match"})
    void shouldKeepForbiddenHeadersOutOfATrailer(String name) {
        HttpHeaders headers = new DefaultHttpChunkTrailer().trailingHeaders();
        HttpHeaders source = new DefaultHttpHeaders().add(name, "1");

        assertThrows(IllegalArgumentException.class, () -> headers.add(name, "1"));
        assertThrows(IllegalArgumentException.class, () -> headers.set(name, "1"));
        assertThrows(IllegalArgumentException.class, () -> headers.add(name, List.of("1")));
        assertThrows(IllegalArgumentException.class, () -> headers.set(name, List.of("1")));
        assertThrows(IllegalArgumentException.class, () -> headers.add(source));
        assertEquals("1", headers.add("Checksum", "1").get("checksum"));
        assertEquals(
                List.of("2", "3"), headers.set("Checksum", List.of("2", "3")).getAll("checksum"));
        assertEquals(
                List.of("2", "3", "4"), headers.add("Checksum", List.of("4")).getAll("checksum"));
        assertEquals(List.of("5"), headers.set("Checksum", "5").getAll("checksum"));
    }

    @ParameterizedTest
    @CsvSource({
        "1.1,,true",
        "1.1,close,false",
        "1.1,'upgrade, Close',false",
        "1.1,'keep-alive, close',false",
        "1.1,closed,true",
        "1.0,,false",
        "1.0,Keep-Alive,true",
        "1.0,'close, keep-alive',false",
        "1.0,upgrade,false",
        "1.1,keep-alive,true",
        "2.0,,true"
    })
    void shouldReturnWhetherTheConnectionStaysOpen(String version, String connection, boolean expected) {
        request.setProtocolVersion(HttpVersion.valueOf("HTTP/" + version));
        if (connection != null) {
            request.headers().set("Connection", connection);
        }

        assertEquals(expected, HttpHeaders.isKeepAlive(request));
    }

    @Test
    void shouldSetConnectionOnlyIfItDiffersFromTheVersionsDefault() {
        HttpHeaders.setKeepAlive(request, false);
        assertEquals("close", request.headers().get("Connection"));
        HttpHeaders.setKeepAlive(request, true);
        assertFalse(request.headers().contains("Connection"));

        request.setProtocolVersion(HttpVersion.HTTP_1_0);
        HttpHeaders.setKeepAlive(request, true);
        assertEquals("keep-alive", request.headers().get("Connection"));
    }

    @Test
    void shouldReadTheLengthOfTheContentAsNetty3Does() {
        assertThrows(NumberFormatException.class, () -> HttpHeaders.getContentLength(request));
        assertEquals(7, HttpHeaders.getContentLength(request, 7));
        HttpHeaders.setContentLength(request, 1L << 40);
        assertEquals(1L << 40, HttpHeaders.getContentLength(request));
        request.headers().set("Content-Length", "x");
        assertEquals(7, HttpHeaders.getContentLength(request, 7));
        assertThrows(NumberFormatException.class, () -> HttpHeaders.getContentLength(request));
    }

    @Test
    void shouldReturnTheLengthOfDraft76Handshakes() {
        request.headers().set("Sec-WebSocket-Key1", "1").set("Sec-WebSocket-Key2", "2");
        assertEquals(8, HttpHeaders.getContentLength(request));

        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        response.headers().set("Sec-WebSocket-Origin", "a").set("Sec-WebSocket-Location", "b");
        assertEquals(16, HttpHeaders.getContentLength(response));
    }

    @Test
    void shouldAddAndRemoveTheChunkedCodingAndLeaveOthers() {
        request.headers().add("Transfer-Encoding", "gzip, Chunked").add("Content-Length", 3);
        assertTrue(HttpHeaders.isTransferEncodingChunked(request));

        HttpHeaders.removeTransferEncodingChunked(request);
        assertEquals(List.of("gzip"), request.headers().getAll("Transfer-Encoding"));
        assertFalse(HttpHeaders.isTransferEncodingChunked(request));

        HttpHeaders.setTransferEncodingChunked(request);
        assertEquals(
                List.of("gzip, chunked"),
                request.headers().getAll("Transfer-Encoding"),
                "in one line, since peers treat several differently");
        assertFalse(HttpHeaders.isContentLengthSet(request));
    }

    @Test
    void shouldExpectContinueOnlyInRequestsFromVersion11On() {
        HttpHeaders.set100ContinueExpected(request);
        assertTrue(HttpHeaders.is100ContinueExpected(request));
        request.setProtocolVersion(HttpVersion.HTTP_1_0);
        assertFalse(HttpHeaders.is100ContinueExpected(request));
        HttpHeaders.set100ContinueExpected(request, false);
        assertFalse(request.headers().contains("Expect"));
    }

    @Test
    void shouldReadAndWriteNumbersAndDates() throws Exception {
        HttpHeaders.setIntHeader(request, "n", List.of(1, 2));
        HttpHeaders.addIntHeader(request, "n", 3);
        assertEquals(List.of("1", "2", "3"), request.headers().getAll("n"));
        assertEquals(1, HttpHeaders.getIntHeader(request, "n"));
        assertEquals(9, HttpHeaders.getIntHeader(request, "none", 9));
        assertThrows(NumberFormatException.class, () -> HttpHeaders.getIntHeader(request, "none"));

        Date date = new Date(784_111_777_000L);
        HttpHeaders.setDate(request, date);
        assertEquals(date, HttpHeaders.getDate(request));
        HttpHeaders.setDate(request, null);
        assertEquals(date, HttpHeaders.getDate(request, date));
        assertThrows(java.text.ParseException.class, () -> HttpHeaders.getDate(request));
    }

    @Test
    void shouldDescribeAMessageAsNetty3Does() {
        request.headers().add("a", "1").add("B", 2);
        org.jboss.netty.handler.codec.http.HttpRequest theirs =
                new org.jboss.netty.handler.codec.http.DefaultHttpRequest(
                        org.jboss.netty.handler.codec.http.HttpVersion.HTTP_1_1,
                        org.jboss.netty.handler.codec.http.HttpMethod.GET,
                        "/x");
        theirs.headers().add("a", "1").add("B", 2);

        assertEquals(theirs.toString(), request.toString());
        String response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK).toString();
        assertTrue(response.endsWith("HTTP/1.1 200 OK"), response);
        String chunk = new DefaultHttpChunk(oneByte).toString();
        assertTrue(chunk.startsWith("DefaultHttpChunk(last: false, content: "), chunk);
        HttpMessage other = new DefaultHttpMessage(HttpVersion.HTTP_1_0) {};
        other.headers().add("a", "1");
        assertEquals("(chunked: false)\nHTTP/1.0\na: 1", other.toString().replace(System.lineSeparator(), "\n"));
    }

    /** They remember that there is no Transfer-Encoding, so each way to add one must be noticed. */
    @ParameterizedTest
    @ValueSource(ints = {0, 7, 8, 20})
    void shouldSeeATransferEncodingHoweverItWasAdded(int othersBefore) {
        List<Consumer<HttpHeaders>> ways = List.of(
                headers -> headers.add("transfer-ENCODING", "chunked"),
                headers -> headers.add("Transfer-Encoding", List.of("gzip", "chunked")),
                headers -> headers.set("Transfer-Encoding", "gzip, chunked"),
                headers -> headers.set("Transfer-Encoding", List.of("chunked")),
                headers -> headers.add("a", "1").remove("a").add("Transfer-Encoding", "chunked"),
                headers -> headers.clear().add("Transfer-Encoding", "chunked"),
                headers -> headers.add("Transfer-Encoding", "gzip").entries().stream()
                        .filter(entry -> entry.getValue().equals("gzip"))
                        .forEach(entry -> entry.setValue("chunked")));
        for (Consumer<HttpHeaders> way : ways) {
            HttpRequest message = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
            for (int i = 0; i < othersBefore; i++) {
                message.headers().add("x-" + i, i);
            }
            assertFalse(message.isChunked());

            way.accept(message.headers());

            assertTrue(message.isChunked());
            assertTrue(HttpHeaders.isTransferEncodingChunked(message));
            message.headers().remove("Transfer-Encoding");
            assertFalse(message.isChunked());
        }
    }

    @Test
    void shouldRefuseContentInATrailer() {
        DefaultHttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
        assertTrue(trailer.isLast());
        assertSame(ChannelBuffers.EMPTY_BUFFER, trailer.getContent());
        assertThrows(IllegalStateException.class, () -> trailer.setContent(oneByte));
        trailer.trailingHeaders().add("a", "1");
        assertTrue(trailer.toString().endsWith("a: 1"), trailer::toString);
    }

    @Test
    void shouldBeTheLastChunkIfEmptyContentIsSet() {
        HttpChunk chunk = new DefaultHttpChunk(oneByte);
        chunk.setContent(ChannelBuffers.EMPTY_BUFFER);
        assertTrue(chunk.isLast());
        assertSame(ChannelBuffers.EMPTY_BUFFER, chunk.getContent());
        chunk.setContent(oneByte);
        assertFalse(chunk.isLast());
        assertSame(oneByte, chunk.getContent());
        assertThrows(NullPointerException.class, () -> chunk.setContent(null));
    }

    @Test
    void shouldCountTheContentThatWaitsToBeSent() {
        assertEquals(1, new DefaultHttpChunk(oneByte).heldBytes());
        DefaultHttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        int head = response.heldBytes();
        response.setContent(oneByte);
        assertEquals(head + 1, response.heldBytes());
    }

    @Test
    void shouldKeepTrailersApartFromTheHeaders() {
        request.trailingHeaders().add("a", "1");
        assertEquals("1", request.trailingHeaders().get("a"));
        assertTrue(request.headers().isEmpty());
        assertThrows(
                IllegalArgumentException.class, () -> request.trailingHeaders().add("Host", "x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"OPTIONS", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT"})
    void shouldReturnTheConstantOfAMethod(String name) throws Exception {
        Object constant = HttpMethod.class.getField(name).get(null);
        assertSame(constant, HttpMethod.valueOf(name));
        assertSame(constant, HttpMethod.valueOf("  " + name + ' '));
        assertEquals(name, constant.toString());
        assertEquals(constant, new HttpMethod(name));
        assertEquals(constant.hashCode(), new HttpMethod(name).hashCode());
        assertFalse(constant.equals(HttpMethod.valueOf(name + "X")));
        assertFalse(constant.equals(name));
    }

    @Test
    void shouldOrderMethodsByName() {
        assertTrue(HttpMethod.GET.compareTo(HttpMethod.HEAD) < 0);
        assertTrue(HttpMethod.PUT.compareTo(HttpMethod.POST) > 0);
        assertEquals(0, HttpMethod.GET.compareTo(new HttpMethod("GET")));
    }

    /** They are keys of maps. */
    @Test
    void shouldHaveHashCodesThatDiffer() {
        assertNotEquals(HttpMethod.GET.hashCode(), HttpMethod.POST.hashCode());
        assertNotEquals(HttpVersion.HTTP_1_0.hashCode(), HttpVersion.HTTP_1_1.hashCode());
        assertNotEquals(HttpResponseStatus.OK.hashCode(), HttpResponseStatus.NOT_FOUND.hashCode());
    }

    @Test
    void shouldCompareStatusesByTheirCodes() {
        HttpResponseStatus fine = new HttpResponseStatus(200, "Fine");
        assertEquals(HttpResponseStatus.OK, fine);
        assertEquals(HttpResponseStatus.OK.hashCode(), fine.hashCode());
        assertFalse(fine.equals(HttpResponseStatus.CREATED));
        assertFalse(fine.equals((Object) "200 Fine"));
        assertEquals(0, fine.compareTo(HttpResponseStatus.OK));
        assertTrue(fine.compareTo(HttpResponseStatus.CREATED) < 0);
        assertTrue(fine.compareTo(HttpResponseStatus.CONTINUE) > 0);
        assertEquals("200 Fine", fine.toString());
        assertEquals("", new HttpResponseStatus(0, "").getReasonPhrase());
        assertThrows(IllegalArgumentException.class, () -> new HttpResponseStatus(-1, "x"));
        assertThrows(IllegalArgumentException.class, () -> HttpResponseStatus.valueOf(-1));
    }

    @ParameterizedTest
    @CsvSource({"HTTP/0.9,false", "HTTP/1.0,false", "HTTP/1.1,true", "HTTP/1.2,true", "HTTP/2.0,true"})
    void shouldExpectContinueFromVersion11On(String version, boolean expected) {
        request.setProtocolVersion(HttpVersion.valueOf(version));
        HttpHeaders.set100ContinueExpected(request);
        assertEquals(expected, HttpHeaders.is100ContinueExpected(request));
    }

    @Test
    void shouldNameTheHeaderThatIsMissing() {
        NumberFormatException failure =
                assertThrows(NumberFormatException.class, () -> HttpHeaders.getIntHeader(request, "x-n"));
        assertEquals("the message has no header x-n", failure.getMessage());
    }

    @Test
    void shouldImplyNoLengthOfAMessageOfAnotherKind() {
        HttpMessage message = new DefaultHttpMessage(HttpVersion.HTTP_1_1) {};
        message.headers()
                .set("Sec-WebSocket-Key1", "1")
                .set("Sec-WebSocket-Key2", "2")
                .set("Sec-WebSocket-Origin", "a")
                .set("Sec-WebSocket-Location", "b");
        assertEquals(-5, HttpHeaders.getContentLength(message, -5));
        assertThrows(NumberFormatException.class, () -> HttpHeaders.getContentLength(message));
    }

    @Test
    void shouldFormatAndParseDatesOfAText() throws Exception {
        HttpHeaderDateFormat format = HttpHeaderDateFormat.get();
        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", format.format(new Date(784_111_777_000L)));
        ParsePosition at = new ParsePosition(1);
        assertEquals(new Date(784_111_777_000L), format.parse("xSun, 06 Nov 1994 08:49:37 GMT; y", at));
        assertEquals(30, at.getIndex());
        ParsePosition bad = new ParsePosition(1);
        assertNull(format.parse("xyesterday", bad));
        assertEquals(1, bad.getErrorIndex());
        assertEquals(1, bad.getIndex());
    }
}
