package org.freshet.handler.codec.http.server.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.server.Connection.content;
import static org.freshet.handler.codec.http.server.Connection.header;
import static org.freshet.handler.codec.http.server.Connection.status;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpContentCompressor;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.HttpDates;
import org.freshet.handler.codec.http.server.Connection;
import org.freshet.handler.codec.http.server.TextClient;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On an in-memory channel, to which larger files are sent as chunks; an HTTP/2 stream takes file regions. */
abstract class StaticFileHandlerContract {
    final TextClient.Wire wire;

    StaticFileHandlerContract(TextClient.Wire wire) {
        this.wire = wire;
    }

    /** Far in the past, so that validators are strong. */
    static final Instant MODIFIED = Instant.parse("2026-01-02T03:04:05.600Z");

    static final String LAST_MODIFIED = HttpDates.format(MODIFIED.toEpochMilli());
    static final String TEXT = "0123456789".repeat(10);
    static final int LARGE = 100_000;

    @TempDir
    Path folder;

    Path root;

    @BeforeEach
    void makeFiles() throws IOException {
        root = Files.createDirectories(folder.resolve("root"));
        write("a.txt", TEXT);
        write("index.html", "<p>top");
        write("empty", "");
        write("docs/index.html", "<p>docs");
        write("docs/a b.css", "p {}");
        write("no-index/x", "x");
        write(".secret", "secret");
        write(".git/config", "secret");
        write("large.bin", "x".repeat(LARGE));
        write("../outside.txt", "secret");
        write("../root-like/x.txt", "secret");
    }

    Path write(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content, ISO_8859_1);
        return Files.setLastModifiedTime(file, FileTime.from(MODIFIED));
    }

    Connection connect(StaticFiles.Builder files) {
        return new Connection(wire, () -> new ChannelHandler[] {new StaticFileHandler(files.build())});
    }

    Connection connect() {
        return connect(StaticFiles.under(root));
    }

    String get(String target, String... headers) {
        return connect().request("GET", target, headers);
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

    void link(String name, Path target) throws IOException {
        try {
            Files.createSymbolicLink(root.resolve(name), target);
        } catch (UnsupportedOperationException e) {
            assumeTrue(false, "no symbolic links here");
        }
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

    // ---- options ----

    @Test
    void shouldSetCacheControlAndTypeAsConfigured() {
        Connection connection = connect(StaticFiles.under(root)
                .prefix("/s/")
                .cacheControl(path -> path.startsWith("/docs/") ? "no-cache" : null)
                .mimeTypes(MimeTypes.defaults().with("TXT", "text/x-mine")));
        assertEquals("no-cache", header(connection.request("GET", "/s/docs/"), "Cache-Control"));
        String answer = connection.request("GET", "/s/a.txt");
        assertNull(header(answer, "Cache-Control"));
        assertEquals("text/x-mine", header(answer, "Content-Type"));
    }

    @ParameterizedTest
    @CsvSource({
        "a.html,text/html; charset=utf-8",
        "a.HTML,text/html; charset=utf-8",
        "a.min.js,text/javascript; charset=utf-8",
        "a.json,application/json",
        "a.svg,image/svg+xml; charset=utf-8",
        "a.png,image/png",
        "a.wasm,application/wasm",
        "html,application/octet-stream",
        "a.,application/octet-stream",
        "a.unknown,application/octet-stream"
    })
    void shouldKnowTypes(String name, String type) {
        assertEquals(type, MimeTypes.defaults().typeOf(name));
    }

    // ---- other handlers ----

    /** Answers requests when asked to. */
    static final class Application extends SimpleChannelUpstreamHandler {
        final Queue<String> unanswered = new ArrayDeque<>();
        private ChannelHandlerContext ctx;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            this.ctx = ctx;
            if (e.getMessage() instanceof HttpRequest request) {
                unanswered.add(request.getUri());
            }
        }

        void answer() {
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.setContent(ChannelBuffers.copiedBuffer("application " + unanswered.remove(), ISO_8859_1));
            HttpHeaders.setContentLength(response, response.getContent().readableBytes());
            ctx.getChannel().write(response);
        }

        void answerInChunks() {
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.setChunked(true);
            ctx.getChannel().write(response);
            ctx.getChannel()
                    .write(new DefaultHttpChunk(
                            ChannelBuffers.copiedBuffer("application " + unanswered.remove(), ISO_8859_1)));
            ctx.getChannel().write(HttpChunk.LAST_CHUNK);
        }
    }

    @Test
    void shouldPassRequestsOutsideItsPrefix() {
        Application application = new Application();
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            new StaticFileHandler(StaticFiles.under(root).prefix("/s").build()), application
        });
        assertEquals(200, status(connection.request("GET", "/s/a.txt")));
        assertEquals(301, status(connection.request("GET", "/s")));
        for (String target : List.of("/", "/a.txt", "/static", "/s2/a.txt", "*")) {
            assertEquals("", connection.request(target.equals("*") ? "OPTIONS" : "GET", target));
            application.answer();
            assertEquals("application " + target, content(connection.takeSent()));
        }
    }

    @Test
    void shouldLetAContentEncoderProcessTheContent() throws IOException {
        write("large.txt", TEXT.repeat(1000));
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            new HttpContentCompressor(),
            new StaticFileHandler(StaticFiles.under(root).build())
        });
        for (String target : List.of("/a.txt", "/large.txt")) {
            String answer = connection.request("GET", target, "Accept-Encoding: gzip");
            assertEquals("gzip", header(answer, "Content-Encoding"));
            assertTrue(header(answer, "ETag").startsWith("W/"), answer);
            assertFalse(answer.contains(TEXT));
        }
        String plain = connection.request("GET", "/large.txt");
        assertEquals(TEXT.repeat(1000), content(plain));
        assertEquals("100000", header(plain, "Content-Length"));
        assertEquals(206, status(connection.request("GET", "/large.txt", "Accept-Encoding: gzip", "Range: bytes=0-1")));
    }

    // ---- files are closed ----

    @Test
    void shouldCloseTheFileWhenItWasSent() {
        OpenFiles.assumeKnown();
        Connection connection = connect();
        connection.client.transport().holdWrites();
        connection.request("GET", "/large.bin");
        assertEquals(1, OpenFiles.below(root).size());
        while (connection.client.transport().unansweredWrites() > 0) {
            connection.client.transport().completeWrites();
        }
        assertEquals(List.of(), OpenFiles.below(root));
        connection.request("GET", "/large.bin", "Range: bytes=0-9");
        connection.request("HEAD", "/large.bin");
        connection.request("GET", "/large.bin", "If-None-Match: *");
        assertEquals(List.of(), OpenFiles.below(root));
    }

    @Test
    void shouldCloseFileAndConnectionWhenAWriteFails() {
        OpenFiles.assumeKnown();
        SimpleChannelDownstreamHandler failing = new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage() instanceof HttpChunk) {
                    e.getFuture().setFailure(new IOException("broken"));
                } else {
                    ctx.sendDownstream(e);
                }
            }
        };
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            failing, new StaticFileHandler(StaticFiles.under(root).build())
        });
        connection.request("GET", "/large.bin");
        assertEquals(List.of(), OpenFiles.below(root));
        assertFalse(connection.client.channel().isOpen());
    }

    @Test
    void shouldCloseTheFileWhenTheConnectionCloses() {
        OpenFiles.assumeKnown();
        Connection connection = connect();
        connection.client.transport().holdWrites();
        connection.request("GET", "/large.bin");
        connection.client.transport().turnWritable(false);
        assertEquals(1, OpenFiles.below(root).size());
        connection.client.channel().close();
        connection.client.transport().failWrites(new ClosedChannelException());
        assertEquals(List.of(), OpenFiles.below(root));
        connection.client.transport().close(); // with HTTP/2, only the stream was closed
    }

    @Test
    void shouldCloseTheFileWhenTheHeadIsRefused() {
        OpenFiles.assumeKnown();
        SimpleChannelDownstreamHandler refusing = new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                throw new IllegalArgumentException("refused");
            }
        };
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            refusing, new StaticFileHandler(StaticFiles.under(root).build())
        });
        connection.request("GET", "/large.bin");
        assertEquals(List.of(), OpenFiles.below(root));
        assertFalse(connection.client.channel().isOpen());
    }

    /** After a head that was not sent, the file would be mistaken for an answer. */
    @ParameterizedTest
    @ValueSource(strings = {"GET /large.bin", "GET /a.txt", "HEAD /large.bin"})
    void shouldSendNothingAndCloseWhenTheHeadFails(String request) {
        SimpleChannelDownstreamHandler failing = new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage() instanceof HttpResponse) {
                    e.getFuture().setFailure(new IOException("broken"));
                } else {
                    ctx.sendDownstream(e);
                }
            }
        };
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            failing, new StaticFileHandler(StaticFiles.under(root).build())
        });
        String[] words = request.split(" ");
        String sent = connection.request(words[0], words[1]);
        assertFalse(sent.contains("x"), sent);
        assertFalse(connection.client.channel().isOpen());
        assertEquals(List.of(), OpenFiles.below(root));
    }

    @Test
    void shouldCloseTheConnectionWhenTheFileIsCutShort() throws IOException {
        Path file = write("shrinking", "x".repeat(LARGE));
        Queue<Runnable> tasks = new ArrayDeque<>();
        Connection connection = connect(StaticFiles.under(root).executor(tasks::add));
        connection.request("GET", "/shrinking");
        connection.client.transport().turnWritable(false);
        tasks.remove().run();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(10);
        }
        connection.client.transport().turnWritable(true);
        assertFalse(connection.client.channel().isOpen());
        assertEquals(List.of(EOFException.class), classes(connection.client.takeCaught()));
    }

    static List<Class<?>> classes(List<Throwable> caught) {
        List<Class<?>> classes = new ArrayList<>();
        caught.forEach(failure -> classes.add(failure.getClass()));
        return classes;
    }

    @Test
    void shouldAnswerWhenTheExecutorRefuses() {
        try (CapturedLog log = CapturedLog.start()) {
            Connection connection = connect(StaticFiles.under(root).executor(task -> {
                throw new RejectedExecutionException("full");
            }));
            assertEquals(503, status(connection.request("GET", "/a.txt")));
            assertTrue(connection.client.takesRequests());
            assertTrue(log.only().text().contains("/a.txt"));
        }
    }

    /** As if no thread could be started. */
    @Test
    void shouldCloseWhenTheExecutorFails() {
        Connection connection = connect(StaticFiles.under(root).executor(task -> {
            throw new OutOfMemoryError("simulated");
        }));
        connection.request("GET", "/a.txt");
        assertFalse(connection.client.channel().isOpen());
        assertEquals(List.of(OutOfMemoryError.class), classes(connection.client.takeCaught()));
    }

    @Test
    void shouldAnswerWhenTheUsersFunctionThrows() {
        try (CapturedLog log = CapturedLog.start()) {
            Connection connection = connect(StaticFiles.under(root).cacheControl(path -> {
                throw new IllegalStateException("broken");
            }));
            assertEquals(500, status(connection.request("GET", "/a.txt")));
            assertTrue(
                    log.messages().stream().anyMatch(message -> message.text().contains("/a.txt")));
        }
    }

    @Test
    void shouldCloseAFileThatIsOpenedAfterTheConnectionClosed() {
        OpenFiles.assumeKnown();
        Queue<Runnable> tasks = new ArrayDeque<>();
        Connection connection = connect(StaticFiles.under(root).executor(tasks::add));
        connection.request("GET", "/large.bin");
        connection.client.channel().close();
        tasks.remove().run();
        assertEquals(List.of(), OpenFiles.below(root));
    }
}
