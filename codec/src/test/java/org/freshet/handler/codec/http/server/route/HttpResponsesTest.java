package org.freshet.handler.codec.http.server.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpResponsesTest {
    private static void assertResponse(int status, String type, String content, HttpResponse response) {
        assertEquals(status, response.getStatus().getCode());
        assertEquals(type, response.headers().get("Content-Type"));
        assertEquals(content, response.getContent().toString(StandardCharsets.UTF_8));
        assertEquals(
                content.getBytes(StandardCharsets.UTF_8).length,
                Integer.parseInt(response.headers().get("Content-Length")));
        assertFalse(response.isChunked());
    }

    @Test
    void shouldContainTypeCharsetAndLength() {
        assertResponse(200, "text/plain; charset=utf-8", "gr\u00fcn", HttpResponses.text("gr\u00fcn"));
        assertResponse(200, "text/html; charset=utf-8", "<p>", HttpResponses.html("<p>"));
        assertResponse(200, "application/json", "{\"a\":\"\u20ac\"}", HttpResponses.json("{\"a\":\"\u20ac\"}"));
        assertResponse(201, "application/json", "{}", HttpResponses.json(HttpResponseStatus.CREATED, "{}"));
        assertResponse(404, "text/html; charset=utf-8", "", HttpResponses.html(HttpResponseStatus.NOT_FOUND, ""));
        assertResponse(404, "text/plain; charset=utf-8", "no", HttpResponses.text(HttpResponseStatus.NOT_FOUND, "no"));
        assertResponse(
                200, "image/png", "abc", HttpResponses.content(HttpResponseStatus.OK, "image/png", "abc".getBytes()));
        assertResponse(
                200,
                "image/png",
                "bc",
                HttpResponses.content(
                        HttpResponseStatus.OK, "image/png", ChannelBuffers.wrappedBuffer("abc".getBytes(), 1, 2)));
    }

    @Test
    void shouldHaveNoLengthIfTheStatusHasNoContent() {
        assertEquals(204, HttpResponses.noContent().getStatus().getCode());
        assertNull(HttpResponses.noContent().headers().get("Content-Length"));
        assertNull(
                HttpResponses.status(HttpResponseStatus.NOT_MODIFIED).headers().get("Content-Length"));
        assertEquals(
                "0", HttpResponses.status(HttpResponseStatus.ACCEPTED).headers().get("Content-Length"));
        assertEquals(
                "0",
                HttpResponses.status(HttpResponseStatus.RESET_CONTENT).headers().get("Content-Length"));
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 101, 204, 205, 304})
    void shouldRefuseContentIfTheStatusHasNone(int status) {
        assertThrows(IllegalArgumentException.class, () -> HttpResponses.text(HttpResponseStatus.valueOf(status), "a"));
    }

    @Test
    void shouldRedirect() {
        HttpResponse response = HttpResponses.redirect("/a%20b?c=d#e");
        assertEquals(302, response.getStatus().getCode());
        assertEquals("/a%20b?c=d#e", response.headers().get("Location"));
        assertEquals("0", response.headers().get("Content-Length"));
        assertEquals(
                308,
                HttpResponses.redirect(HttpResponseStatus.valueOf(308), "/")
                        .getStatus()
                        .getCode());
        assertThrows(IllegalArgumentException.class, () -> HttpResponses.redirect(HttpResponseStatus.OK, "/"));
        assertThrows(
                IllegalArgumentException.class, () -> HttpResponses.redirect(HttpResponseStatus.NOT_MODIFIED, "/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a b", "/a\r\nSet-Cookie: b=c", "/\u00e4", "/\u010d\u010a", "/\0", "/a\tb"})
    void shouldRefuseALocationThatIsNotAUri(String location) {
        assertThrows(IllegalArgumentException.class, () -> HttpResponses.redirect(location));
    }

    @Test
    void shouldRefuseATypeThatSplitsTheHead() {
        assertThrows(
                IllegalArgumentException.class,
                () -> HttpResponses.content(HttpResponseStatus.OK, "a/b\r\nc: d", new byte[0]));
    }
}
