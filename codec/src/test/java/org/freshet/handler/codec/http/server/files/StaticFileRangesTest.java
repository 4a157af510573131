package org.freshet.handler.codec.http.server.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.server.Connection.content;
import static org.freshet.handler.codec.http.server.Connection.header;
import static org.freshet.handler.codec.http.server.Connection.status;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.freshet.handler.codec.http.internal.HttpDates;
import org.freshet.handler.codec.http.server.Connection;
import org.freshet.handler.codec.http.server.TextClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions, ranges and precompressed files. */
@ParameterizedClass
@EnumSource(TextClient.Wire.class)
class StaticFileRangesTest extends ServedFolder {
    StaticFileRangesTest(TextClient.Wire wire) {
        super(wire);
    }

    // ---- conditions and ranges ----

    @Test
    void shouldNotSendAFileThatTheClientHas() {
        Connection connection = connect(StaticFiles.under(root).cacheControl("max-age=60"));
        String etag = header(connection.request("GET", "/a.txt"), "ETag");
        for (String condition : List.of("If-None-Match: " + etag, "If-Modified-Since: " + LAST_MODIFIED)) {
            String answer = connection.request("GET", "/a.txt", condition);
            assertEquals(304, status(answer));
            assertEquals("", content(answer));
            assertEquals(etag, header(answer, "ETag"));
            assertEquals("max-age=60", header(answer, "Cache-Control"));
            assertNull(header(answer, "Content-Type"));
        }
        String failed = connection.request("GET", "/a.txt", "If-Match: \"other\"");
        assertEquals(412, status(failed));
        assertFalse(failed.contains(TEXT));
        assertEquals(404, status(connection.request("GET", "/nothing", "If-None-Match: *")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-9 | 206 | bytes 0-9/100 | 0123456789",
                "bytes=-3 | 206 | bytes 97-99/100 | 789",
                "bytes=98- | 206 | bytes 98-99/100 | 89",
                "bytes=98-500 | 206 | bytes 98-99/100 | 89",
                "bytes=0-5,2-9 | 206 | bytes 0-9/100 | 0123456789",
                "bytes=100- | 416 | bytes */100 | ''",
            })
    void shouldSendARange(String range, int status, String contentRange, String content) {
        String answer = get("/a.txt", "Range: " + range);
        assertEquals(status, status(answer));
        assertEquals(contentRange, header(answer, "Content-Range"));
        if (status == 206) {
            assertEquals(content, content(answer));
            assertEquals("" + content.length(), header(answer, "Content-Length"));
            assertEquals("text/plain; charset=utf-8", header(answer, "Content-Type"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=5-4", "bytes=x", "pages=1-2", "bytes=0-0,1-1,2-2,3-3"})
    void shouldSendTheWholeFileForAnIgnoredRange(String range) {
        Connection connection = connect(StaticFiles.under(root).maxRanges(3));
        String answer = connection.request("GET", "/a.txt", "Range: " + range);
        assertEquals(200, status(answer));
        assertEquals(TEXT, content(answer));
        assertEquals(200, status(connection.request("GET", "/empty", "Range: bytes=0-")));
    }

    @Test
    void shouldWorkWithoutRanges() {
        Connection connection = connect(StaticFiles.under(root).maxRanges(0));
        String answer = connection.request("GET", "/a.txt", "Range: bytes=0-0");
        assertEquals(200, status(answer));
        assertEquals("none", header(answer, "Accept-Ranges"));
    }

    @Test
    void shouldSendSeveralRangesAsParts() throws IOException {
        write("large.txt", TEXT.repeat(1000));
        for (String target : List.of("/large.txt", "/large.bin")) {
            String type = target.endsWith("txt") ? "text/plain; charset=utf-8" : "application/octet-stream";
            String answer = get(target, "Range: bytes=5000-5004,-2,10-39999");
            assertEquals(206, status(answer));
            String contentType = header(answer, "Content-Type");
            assertTrue(contentType.startsWith("multipart/byteranges; boundary="), contentType);
            assertNull(header(answer, "Content-Range"));
            String content = content(answer);
            assertEquals("" + content.length(), header(answer, "Content-Length"));
            String delimiter = "--" + contentType.substring(contentType.indexOf('=') + 1);
            String file = Files.readString(root.resolve(target.substring(1)), ISO_8859_1);
            assertEquals(
                    delimiter + "\r\nContent-Type: " + type + "\r\nContent-Range: bytes 10-39999/100000\r\n\r\n"
                            + file.substring(10, 40000) + "\r\n" + delimiter + "\r\nContent-Type: " + type
                            + "\r\nContent-Range: bytes 99998-99999/100000\r\n\r\n" + file.substring(99998) + "\r\n"
                            + delimiter + "--\r\n",
                    content);
        }
    }

    @Test
    void shouldSendTheWholeFileIfTheVersionOfARangeDiffers() {
        Connection connection = connect();
        String etag = header(connection.request("GET", "/a.txt"), "ETag");
        assertEquals(206, status(connection.request("GET", "/a.txt", "Range: bytes=0-0", "If-Range: " + etag)));
        assertEquals(
                206, status(connection.request("GET", "/a.txt", "Range: bytes=0-0", "If-Range: " + LAST_MODIFIED)));
        assertEquals(200, status(connection.request("GET", "/a.txt", "Range: bytes=0-0", "If-Range: \"x\"")));
        assertEquals(200, status(connection.request("GET", "/a.txt", "Range: bytes=900-", "If-Range: \"x\"")));
    }

    @Test
    void shouldMarkTheTagOfAJustModifiedFileAsWeak() throws IOException {
        Path file = write("a.txt", TEXT);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
        Connection connection = connect();
        String etag = header(connection.request("GET", "/a.txt"), "ETag");
        assertTrue(etag.startsWith("W/\""), etag);
        assertEquals(200, status(connection.request("GET", "/a.txt", "Range: bytes=0-0", "If-Range: " + etag)));
        assertEquals(304, status(connection.request("GET", "/a.txt", "If-None-Match: " + etag)));
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(1000)));
        String ahead = connection.request("GET", "/a.txt");
        assertTrue(header(ahead, "ETag").startsWith("W/\""), ahead);
        assertTrue(
                HttpDates.parse(header(ahead, "Last-Modified"))
                        .isBefore(Instant.now().plusSeconds(500)),
                ahead);
    }

    @Test
    void shouldGiveDifferentContentADifferentTag() throws IOException {
        Connection connection = connect();
        String before = header(connection.request("GET", "/a.txt"), "ETag");
        Files.setLastModifiedTime(write("a.txt", TEXT), FileTime.from(MODIFIED.plusNanos(1000)));
        String touched = header(connection.request("GET", "/a.txt"), "ETag");
        write("a.txt", TEXT + "x");
        String longer = header(connection.request("GET", "/a.txt"), "ETag");
        assertNotEquals(before, touched);
        assertNotEquals(before, longer);
    }

    // ---- precompressed files ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | ",
                "gzip | gzip",
                "br | br",
                "gzip, deflate, br, zstd | br",
                "br;q=0.5, gzip | gzip",
                "br;q=0, gzip;q=0.1 | gzip",
                "br;q=0, * | gzip",
                "* | br",
                "*;q=0 | ",
                "identity;q=1, *;q=0 | ",
                "identity, br;q=0.5 | ",
                "identity;q=0.5, br;q=0.5 | br",
                "GZIP | gzip",
                "gzip;q=2 | ",
                "gzip;q=x | ",
                "deflate | ",
            })
    void shouldChooseAPrecompressedFile(String accept, String coding) throws IOException {
        write("a.txt.br", "BROTLI");
        write("a.txt.gz", "GZIP");
        Connection connection = connect(StaticFiles.under(root).precompressed(true));
        String[] headers = accept.isEmpty() ? new String[0] : new String[] {"Accept-Encoding: " + accept};
        String answer = connection.request("GET", "/a.txt", headers);
        assertEquals(coding, header(answer, "Content-Encoding"));
        assertEquals(coding == null ? TEXT : coding.equals("br") ? "BROTLI" : "GZIP", content(answer));
        assertEquals("Accept-Encoding", header(answer, "Vary"));
        assertEquals("text/plain; charset=utf-8", header(answer, "Content-Type"));
        String etag = header(answer, "ETag");
        assertEquals(coding != null, etag.endsWith("-" + coding + "\""), etag);
        assertEquals(304, status(connection.request("GET", "/a.txt", append(headers, "If-None-Match: " + etag))));
    }

    static String[] append(String[] headers, String more) {
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = more;
        return all;
    }

    @Test
    void shouldSendOneRangeOfAPrecompressedFileButNotSeveral() throws IOException {
        String gzip = "GZIP".repeat(100);
        write("a.txt.gz", gzip);
        Connection connection = connect(StaticFiles.under(root).precompressed(true));
        String one = connection.request("GET", "/a.txt", "Accept-Encoding: gzip", "Range: bytes=4-7");
        assertEquals(206, status(one));
        assertEquals("GZIP", content(one));
        String several = connection.request("GET", "/a.txt", "Accept-Encoding: gzip", "Range: bytes=0-0,300-301");
        assertEquals(200, status(several));
        assertEquals(gzip, content(several));
    }

    @Test
    void shouldNotServeAPrecompressedFileThatIsOldOrLeadsOut() throws IOException {
        Files.setLastModifiedTime(write("a.txt.gz", "OLD"), FileTime.from(MODIFIED.minusSeconds(1)));
        Files.createDirectory(root.resolve("docs/index.html.gz"));
        Connection connection = connect(StaticFiles.under(root).precompressed(true));
        for (String target : List.of("/a.txt", "/docs/")) {
            String answer = connection.request("GET", target, "Accept-Encoding: gzip");
            assertNull(header(answer, "Content-Encoding"));
            assertNull(header(answer, "Vary"));
        }
        link("index.html.gz", root.resolve("../outside.txt"));
        assertEquals("<p>top", content(connection.request("GET", "/", "Accept-Encoding: gzip")));
        write("a.txt.gz", "NEW");
        assertEquals("NEW", content(connection.request("GET", "/a.txt", "Accept-Encoding: gzip")));
        assertEquals(TEXT, content(connect().request("GET", "/a.txt", "Accept-Encoding: gzip")));
    }
}
