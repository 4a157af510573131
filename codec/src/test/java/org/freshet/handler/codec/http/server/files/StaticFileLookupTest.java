package org.freshet.handler.codec.http.server.files;

import static org.freshet.handler.codec.http.server.Connection.content;
import static org.freshet.handler.codec.http.server.Connection.header;
import static org.freshet.handler.codec.http.server.Connection.status;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.freshet.handler.codec.http.server.Connection;
import org.freshet.handler.codec.http.server.TextClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which files are found, and for which methods. */
@ParameterizedClass
@EnumSource(TextClient.Wire.class)
class StaticFileLookupTest extends ServedFolder {
    StaticFileLookupTest(TextClient.Wire wire) {
        super(wire);
    }

    // ---- which files are found ----

    @Test
    void shouldServeAFileWithItsMetadata() {
        String answer = get("/a.txt");
        assertEquals(200, status(answer));
        assertEquals(TEXT, content(answer));
        assertEquals("100", header(answer, "Content-Length"));
        assertEquals("text/plain; charset=utf-8", header(answer, "Content-Type"));
        assertEquals("nosniff", header(answer, "X-Content-Type-Options"));
        assertEquals("bytes", header(answer, "Accept-Ranges"));
        assertEquals(LAST_MODIFIED, header(answer, "Last-Modified"));
        assertTrue(header(answer, "ETag").matches("\"[0-9a-f]+-64\""), answer);
        assertTrue(header(answer, "Date").endsWith(" GMT"), answer);
        assertNull(header(answer, "Cache-Control"));
        assertNull(header(answer, "Vary"));
        assertNull(header(answer, "Connection"));
    }

    @ParameterizedTest
    @CsvSource({
        "/,200",
        "/?query,200",
        "/a.txt?query#fragment,200",
        "http://other.example/a.txt,200",
        "/docs/,200",
        "/docs/a%20b.css,200",
        "/%64ocs/a%20b.%63ss,200",
        "/empty,200",
        "/nothing,404",
        "/docs/nothing,404",
        "/no-index/,404",
        "/a.txt/,404",
        "/a.txt/b,404",
        "/docs//a%20b.css,404",
        "/.secret,404",
        "/.git/config,404",
        "/%2esecret,404",
        "/docs/../a.txt,400",
        "/../outside.txt,400",
        "/%2e%2e/outside.txt,400",
        "/..%2foutside.txt,400",
        "/../root-like/x.txt,400",
        "/a.txt%00.html,400",
        "/docs%5ca%20b.css,400",
        "/%ff,400",
        "/c:/a.txt,400",
    })
    void shouldFindFilesAndNothingElse(String target, int status) {
        String answer = get(target);
        assertEquals(status, status(answer), answer);
        assertFalse(answer.contains("secret"), answer);
        assertTrue(content(answer).length() == Integer.parseInt(header(answer, "Content-Length")), answer);
    }

    @Test
    void shouldFindNothingAtANameThatIsTooLong() {
        assertEquals(404, status(get("/" + "x".repeat(5000))));
        assertEquals(404, status(get("/" + "x/".repeat(3000))));
    }

    @ParameterizedTest
    @CsvSource({"/docs,/docs/", "/docs?a=b&c,/docs/?a=b&c", "http://h/docs?x,/docs/?x", "/%64ocs,/%64ocs/"})
    void shouldRedirectADirectoryToItsSlash(String target, String location) {
        String answer = get(target);
        assertEquals(301, status(answer));
        assertEquals(location, header(answer, "Location"));
    }

    @Test
    void shouldNotRedirectToAnotherHost() {
        assertEquals(404, status(get("//docs")));
        assertEquals(400, status(get("/\\docs")));
    }

    @Test
    void shouldServeIndexAndHiddenFilesAsTold() throws IOException {
        Connection connection = connect(StaticFiles.under(root).indexes("x").hiddenFiles(true));
        assertEquals("x", content(connection.request("GET", "/no-index/")));
        assertEquals("secret", content(connection.request("GET", "/.secret")));
        assertEquals(404, status(connection.request("GET", "/docs/")));
    }

    @Test
    void shouldNotFollowLinksThatLeadOut() throws IOException {
        link("out.txt", root.resolve("../outside.txt"));
        link("up", folder);
        link("like", folder.resolve("root-like"));
        link("in.txt", root.resolve("a.txt"));
        link("in", root.resolve("docs"));
        link("loop", root.resolve("loop"));
        link("dangling", root.resolve("gone"));
        Files.createDirectories(root.resolve("linked-index"));
        link("linked-index/index.html", root.resolve("../outside.txt"));
        Connection connection = connect();
        String outAndIn = "/up/" + root.getFileName() + "/a.txt";
        for (String target : List.of(
                "/out.txt", "/up/outside.txt", outAndIn, "/like/x.txt", "/loop", "/dangling", "/linked-index/")) {
            String answer = connection.request("GET", target);
            // The link that leads out and back in names a file within the root, by its real path.
            assertEquals(target.equals(outAndIn) ? 200 : 404, status(answer), target);
        }
        assertEquals(TEXT, content(connection.request("GET", "/in.txt")));
        assertEquals("<p>docs", content(connection.request("GET", "/in/")));
    }

    @Test
    void shouldServeARootThatIsALink() throws IOException {
        Path link = folder.resolve("link");
        try {
            Files.createSymbolicLink(link, root);
        } catch (UnsupportedOperationException e) {
            assumeTrue(false, "no symbolic links here");
        }
        assertEquals(TEXT, content(connect(StaticFiles.under(link)).request("GET", "/a.txt")));
    }

    @Test
    void shouldNotOpenAPipe() throws Exception {
        Process mkfifo;
        try {
            mkfifo = new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start();
        } catch (IOException e) {
            mkfifo = null;
        }
        assumeTrue(mkfifo != null && mkfifo.waitFor() == 0, "no pipes here");
        assertEquals(404, status(get("/pipe"))); // opening it would wait for a writer
    }

    @Test
    void shouldReportAnUnreadableFile() throws IOException {
        Path file = write("forbidden", "secret");
        assumeTrue(file.toFile().setReadable(false) && !Files.isReadable(file), "all files can be read");
        assertEquals(403, status(get("/forbidden")));
    }

    @Test
    void shouldRefuseARootThatIsNotADirectory() {
        assertThrows(
                IllegalArgumentException.class,
                () -> StaticFiles.under(root.resolve("a.txt")).build());
        assertThrows(
                IllegalArgumentException.class,
                () -> StaticFiles.under(root.resolve("gone")).build());
    }

    // ---- methods ----

    /** A second may pass between the two answers. */
    private static String withoutDate(String answer) {
        return answer.replaceFirst("(?i)date: .*\r\n", "");
    }

    @Test
    void shouldAnswerHeadAsGetWithoutContent() {
        Connection connection = connect();
        String head = withoutDate(connection.request("HEAD", "/a.txt"));
        String get = withoutDate(connection.request("GET", "/a.txt"));
        assertEquals("", content(head));
        assertEquals(get.substring(0, get.length() - TEXT.length()), head);
        assertEquals("" + LARGE, header(connection.request("HEAD", "/large.bin"), "Content-Length"));
        assertEquals(404, status(connection.request("HEAD", "/nothing")));
        assertEquals(200, status(connection.request("HEAD", "/a.txt", "Range: bytes=0-1")));
        assertEquals(304, status(connection.request("HEAD", "/a.txt", "If-None-Match: *")));
    }

    @ParameterizedTest
    @CsvSource({"POST,405", "PUT,405", "DELETE,405", "TRACE,405", "get,405", "OPTIONS,204"})
    void shouldListTheMethodsItSupports(String method, int status) {
        String answer = connect().request(method, "/a.txt");
        assertEquals(status, status(answer));
        assertEquals("GET, HEAD, OPTIONS", header(answer, "Allow"));
    }

    @Test
    void shouldDropTheContentOfARequest() {
        Connection connection = connect();
        String answers = connection.send("POST /a.txt HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n0\r\n\r\nGET /empty HTTP/1.1\r\nHost: h\r\nContent-Length: 20000\r\n\r\n");
        assertEquals(405, status(answers));
        assertTrue(answers.contains("HTTP/1.1 200 OK"), answers);
        assertEquals(200, status(connection.send("x".repeat(20000) + "GET /a.txt HTTP/1.1\r\nHost: h\r\n\r\n")));
        assertEquals(List.of(), connection.client.takeReceived());
    }
}
