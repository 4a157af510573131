package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.server.Connection.content;
import static org.freshet.handler.codec.http.server.Connection.header;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.server.files.StaticFileHandler;
import org.freshet.handler.codec.http.server.files.StaticFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Behavior shared by HTTP/1.1 and HTTP/2. */
abstract class SelectiveContentCompressorContract {
    final TextClient.Wire wire;

    SelectiveContentCompressorContract(TextClient.Wire wire) {
        this.wire = wire;
    }

    static final String LONG = "compress me ".repeat(200);

    @TempDir
    Path folder;

    static HttpResponse response(int status, String content, String... headers) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
        response.setContent(ChannelBuffers.copiedBuffer(content, ISO_8859_1));
        HttpHeaders.setContentLength(response, content.length());
        for (String header : headers) {
            if (!header.isBlank()) {
                response.headers().add(header.split(": ")[0], header.split(": ")[1]);
            }
        }
        return response;
    }

    String answer(String method, HttpResponse response, String... requestHeaders) {
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {new SelectiveContentCompressor()});
        connection.request(method, "/", requestHeaders);
        connection.client.channel().write(response);
        return connection.takeSent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | text/html; charset=utf-8 | '' | true",
                "200 | TEXT/HTML | '' | true",
                "200 | text/css | '' | true",
                "200 | application/json | '' | true",
                "200 | application/problem+json | '' | true",
                "200 | image/svg+xml | '' | true",
                "200 | application/xml;charset=x | '' | true",
                "200 | application/wasm | '' | true",
                "404 | text/plain | '' | true",
                "200 | text/plain | Cache-Control: max-age=1 | true",
                "200 | text/plain | Content-Encoding: identity | true",
                "200 | text/event-stream | '' | false",
                "200 | image/png | '' | false",
                "200 | application/octet-stream | '' | false",
                "200 | '' | '' | false",
                "206 | text/plain | '' | false",
                "200 | text/plain | Content-Encoding: br | false",
                "200 | text/plain | Cache-Control: public,No-Transform | false",
            })
    void shouldCompressCompressibleContent(int status, String type, String header, boolean compressed) {
        HttpResponse response = response(status, LONG, type.isEmpty() ? "" : "Content-Type: " + type, header);
        response.headers().set("ETag", "\"v\"");
        String answer = answer("GET", response, "Accept-Encoding: gzip");
        boolean gzip = "gzip".equals(header(answer, "Content-Encoding"));
        assertEquals(compressed, gzip, answer);
        assertEquals(compressed ? "Accept-Encoding" : null, header(answer, "Vary"));
        assertEquals(compressed ? "W/\"v\"" : "\"v\"", header(answer, "ETag"));
        assertEquals("" + content(answer).length(), header(answer, "Content-Length"));
    }

    @ParameterizedTest
    @CsvSource({"1023,false", "1024,true"})
    void shouldNotCompressSmallContent(int length, boolean compressed) {
        String answer =
                answer("GET", response(200, "x".repeat(length), "Content-Type: text/plain"), "Accept-Encoding: gzip");
        assertEquals(compressed, header(answer, "Content-Encoding") != null);
        assertEquals(compressed, header(answer, "Vary") != null);
    }

    @Test
    void shouldSendVaryWithUncompressedContent() {
        for (String method : new String[] {"GET", "HEAD"}) {
            HttpResponse response = response(200, method.equals("GET") ? LONG : "", "Content-Type: text/plain");
            HttpHeaders.setContentLength(response, LONG.length());
            assertEquals("Accept-Encoding", header(answer(method, response), "Vary"));
        }
        HttpResponse notModified = response(304, "");
        notModified.headers().set("Vary", "Cookie");
        String answer = answer("GET", notModified);
        assertTrue(answer.contains("Vary: Cookie\r\nVary: Accept-Encoding\r\n"), answer);
        assertNull(header(answer("HEAD", response(200, "", "Content-Type: image/png")), "Vary"));
    }

    @Test
    void shouldCompressFilesByTheSameRules() throws IOException {
        Files.writeString(folder.resolve("a.txt"), LONG.repeat(20));
        Files.writeString(folder.resolve("a.png"), LONG.repeat(20));
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            new SelectiveContentCompressor(),
            new StaticFileHandler(StaticFiles.under(folder).build())
        });
        String text = connection.request("GET", "/a.txt", "Accept-Encoding: gzip");
        assertEquals("gzip", header(text, "Content-Encoding"));
        assertEquals("Accept-Encoding", header(connection.request("HEAD", "/a.txt"), "Vary"));
        assertEquals("Accept-Encoding", header(connection.request("GET", "/a.txt", "If-None-Match: *"), "Vary"));
        String image = connection.request("GET", "/a.png", "Accept-Encoding: gzip");
        assertNull(header(image, "Content-Encoding"));
        assertEquals(LONG.repeat(20), content(image));
    }

    /**
     * Small enough to be sent with its head, too large for that, and of a type that isn't compressed (RFC 9110 9.3.2).
     */
    @ParameterizedTest
    @CsvSource({"small.txt,gzip", "large.txt,gzip", "large.txt,identity", "large.png,gzip"})
    void shouldAnswerHeadWithTheHeadersOfGet(String name, String accepted) throws IOException {
        Files.writeString(folder.resolve("small.txt"), LONG);
        Files.writeString(folder.resolve("large.txt"), LONG.repeat(20));
        Files.writeString(folder.resolve("large.png"), LONG.repeat(20));
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            new SelectiveContentCompressor(),
            new StaticFileHandler(StaticFiles.under(folder).build())
        });
        String get = connection.request("GET", "/" + name, "Accept-Encoding: " + accepted);
        String head = connection.request("HEAD", "/" + name, "Accept-Encoding: " + accepted);
        assertEquals(headers(get), headers(head));
        assertEquals("", content(head));
        String next = connection.request("GET", "/" + name, "Accept-Encoding: " + accepted);
        assertEquals(headers(get), headers(next));
        assertEquals(content(get), content(next));
    }

    /** A second may pass between the two answers. */
    private static String headers(String answer) {
        return answer.substring(0, answer.indexOf("\r\n\r\n")).replaceFirst("(?i)\r\ndate: .*", "");
    }
}
